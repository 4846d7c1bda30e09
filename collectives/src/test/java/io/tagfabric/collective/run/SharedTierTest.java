package io.tagfabric.collective.run;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.collective.host.SharedMail;
import io.tagfabric.collective.host.SharedSegment;
import io.tagfabric.collective.host.SharedWork;
import io.tagfabric.collective.run.ControlMessage.LeaveTeam;
import io.tagfabric.collective.run.ControlMessage.Notice;
import io.tagfabric.collective.run.ControlMessage.SegmentAnswer;
import io.tagfabric.collective.run.ControlMessage.SegmentOffer;
import io.tagfabric.collective.run.ControlMessage.SegmentVerdict;
import io.tagfabric.collective.run.ControlMessage.Wake;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.link.NoteDesk;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.progress.ProgressMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The memory of a host at one member, rank 0 or 1 of three whose others are played by hand: who
 * breaks the rules of the meeting, and what comes when the memory is given back. A touch of memory
 * that is unmapped would end the test by an exception, or its JVM.
 */
class SharedTierTest {
  private static final int[] RANKS = {0, 1, 2};
  private static final int CALLS = Integer.MAX_VALUE;

  private record Sent(int to, ControlMessage message) {}

  private final List<Sent> sent = new ArrayList<>();
  private final List<TeamFailure> failures = new ArrayList<>();
  private final List<ControlMessage> heard = new ArrayList<>();
  private final List<NoteDesk.Failure> notes = new ArrayList<>();

  @TempDir private Path directory;
  private ActorTestKit kit;
  private Domain domain;
  private Endpoint endpoint;
  private NoteDesk.Reader reader;
  private Members members;
  private TeamControl control;
  private SharedTier tier;
  private Runnable whenHeard = () -> {};

  @BeforeEach
  void open() {
    kit =
        ActorTestKit.create(
            "tier",
            ConfigFactory.parseMap(
                    Map.of(
                        "akka.actor.provider",
                        "local",
                        "tagfabric.launch.directory",
                        directory.resolve("host").toString()))
                .withFallback(ConfigFactory.load()));
    domain = Fabric.get(kit.system()).openDomain("tier", ProgressMode.MANUAL);
    endpoint = domain.openEndpoint("member");
  }

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
  }

  private void member(int rank) {
    List<EndpointAddress> all = new ArrayList<>();
    for (int other : RANKS) {
      String name = "member-" + other;
      all.add(
          other == rank
              ? endpoint.address()
              : new EndpointAddress(
                  other + 7, other, name, endpoint.address().node(), name, Map.of()));
    }
    members = Members.named(domain, endpoint, all, null, 1);
    control = new TeamControl(new Port(), null, new Team(), new NoCalls());
    tier =
        new SharedTier(
            members,
            RANKS,
            CollectiveSettings.of(domain.fabric().settings()),
            control,
            failures::add,
            different -> {});
    control.use(tier);
    control.open();
  }

  private final class Port implements ControlPort {
    @Override
    public Members members() {
      return members;
    }

    @Override
    public void sendControl(int member, byte[] message, NoteDesk.Failure onFailed) {
      sent.add(new Sent(member, ControlMessage.decode(message, RANKS.length)));
      notes.add(onFailed);
    }

    @Override
    public void receiveControl(NoteDesk.Reader itsReader) {
      reader = itsReader;
    }

    @Override
    public void watchOwn(ReceiveListener listener) {}

    @Override
    public void watch(int member, ReceiveListener listener) {}

    @Override
    public void cancel(Object listener) {}

    @Override
    public void dropLate() {}

    @Override
    public TeamFailure failure(int member, FabricError error, String detail) {
      return TeamFailure.lost(member, error, detail);
    }
  }

  private final class Team implements TeamControl.Listener {
    @Override
    public boolean onFailure(TeamFailure failure) {
      failures.add(failure);
      return true;
    }

    @Override
    public void onClosed(TeamFailure failure) {}

    @Override
    public void onMessage(int from, ControlMessage message) {
      heard.add(message);
      whenHeard.run();
      tier.onMessage(from, message);
    }

    @Override
    public void onGone(TeamFailure failure, long calls) {
      heard.add(new LeaveTeam(calls, true, List.of()));
      whenHeard.run();
    }
  }

  private static final class NoCalls implements TeamAgreements.Calls {
    @Override
    public OptionalInt made(long epoch) {
      return OptionalInt.empty();
    }

    @Override
    public void onMade(long epoch, Map<Integer, Integer> made, BitSet gone) {}

    @Override
    public void onBroken(TeamFailure failure) {}
  }

  private static final class Call implements SharedTier.Task {
    private boolean refused;

    @Override
    public SharedWork work(SharedSegment segment) {
      throw new AssertionError("nobody else calls: there is no meeting yet");
    }

    @Override
    public void onDone() {}

    @Override
    public void onRefused() {
      refused = true;
    }
  }

  /** Another member of the host, which has mapped the memory. */
  private static final class Other implements SharedMail.Reader, AutoCloseable {
    final List<ControlMessage> read = new ArrayList<>();
    final SharedSegment segment;
    final SharedMail mail;

    Other(SharedSegment segment, int rank, int[] notesSent, int[] notesCome) {
      this.segment = segment;
      mail = new SharedMail(segment, rank, place -> {}, this, notesSent, notesCome);
    }

    void tell(int to, ControlMessage message) {
      mail.send(to, ControlMessage.CODEC.encode(message));
    }

    @Override
    public void onMail(int from, byte[] message) {
      read.add(ControlMessage.decode(message, RANKS.length));
    }

    @Override
    public void onBroken(int from, int lengthBytes) {
      throw new AssertionError("lengthBytes=" + lengthBytes);
    }

    @Override
    public void close() {
      mail.close();
      segment.close();
    }
  }

  private void note(int from, ControlMessage message) {
    reader.onNote(members.peer(from), ControlMessage.CODEC.encode(message));
  }

  private SegmentOffer offered() {
    return sent.stream()
        .map(Sent::message)
        .filter(SegmentOffer.class::isInstance)
        .map(SegmentOffer.class::cast)
        .findFirst()
        .orElseThrow();
  }

  private static SharedSegment map(SegmentOffer offer) throws IOException {
    return SharedSegment.open(Path.of(offer.path()), offer.token(), RANKS.length);
  }

  /** Rank 1, whose rank 0 has made the memory and tells it nothing else by notes. */
  private Other metWithRank0() throws IOException {
    member(1);
    Path file = directory.resolve("team");
    SharedSegment segment = SharedSegment.create(file, 5, RANKS.length, 2, 64);
    note(0, new SegmentOffer(5, file.toString()));
    assertThat(sent).contains(new Sent(0, new SegmentAnswer(true)));
    note(0, new SegmentVerdict(true));
    return new Other(segment, 0, new int[] {0, 2, 2}, new int[] {0, 1, 1});
  }

  private List<Boolean> verdicts() {
    return sent.stream()
        .map(Sent::message)
        .filter(SegmentVerdict.class::isInstance)
        .map(message -> ((SegmentVerdict) message).used())
        .toList();
  }

  // ---- the meeting ----

  @Test
  void shouldWaitForEachMemberWhenOneAnswersTwice() throws IOException {
    member(0);
    Call call = new Call();
    tier.start(call);
    map(offered()).close();

    note(1, new SegmentAnswer(true));
    note(1, new SegmentAnswer(true));
    assertThat(verdicts()).isEmpty();
    assertThat(call.refused).isFalse();

    note(2, new SegmentAnswer(false));
    assertThat(verdicts()).containsExactly(false, false);
    assertThat(call.refused).isTrue();
  }

  @Test
  void shouldFailWhenItIsToUseMemoryThatItHasNotMapped() {
    member(1);
    note(0, new SegmentVerdict(true));

    assertThat(failures).hasSize(1);
    assertThat(failures.get(0).member()).isZero();
    assertThat(failures.get(0).error()).isEqualTo(FabricError.INVALID);
    assertThat(failures.get(0).detail()).contains("all have mapped", "rank 1 has not");
  }

  @Test
  void shouldStayWhereItIsWhenItHearsASecondVerdict() throws IOException {
    try (Other rank0 = metWithRank0()) {
      note(0, new SegmentVerdict(true));
      note(0, new SegmentVerdict(false));

      rank0.tell(1, new Wake());
      domain.loop().advance();

      assertThat(heard).last().isEqualTo(new Wake());
      assertThat(failures).isEmpty();
    }
  }

  @Test
  void shouldTakeNothingWhenTheMeetingComesToAnEndAfterIt() throws IOException {
    member(1);
    Path file = directory.resolve("team");
    try (SharedSegment made = SharedSegment.create(file, 5, RANKS.length, 2, 64)) {
      note(0, new SegmentOffer(5, file.toString()));
      tier.close();
      control.close(0);

      note(0, new SegmentVerdict(true));
      tier.onMessage(0, new SegmentVerdict(true));
      tier.onMessage(0, new SegmentOffer(5, file.toString()));

      touchAll();
      assertThat(tier.send(0, new byte[1])).as("there is no mail").isFalse();
    }
  }

  // ---- the end ----

  /** Everything that may come late. */
  private void touchAll() {
    tier.readMail();
    tier.noteCame(0);
    tier.gone(0);
    tier.leave();
    tier.close();
    tier.endMail();
    tier.start(new Call());
    tier.onMessage(0, new SegmentVerdict(true));
    domain.loop().advance();
    domain.loop().parkResident(1);
    notes.forEach(each -> each.onFailed(FabricError.CONNECTION_RESET, "is down"));
  }

  @Test
  void shouldTouchNothingWhenItHasGivenTheMemoryBack() throws IOException {
    try (Other rank0 = metWithRank0()) {
      tier.leave();
      tier.close();
      control.close(0);
      rank0.tell(1, new Wake());

      touchAll();

      assertThat(failures).isEmpty();
      assertThat(tier.send(0, new byte[1])).as("it is dropped").isTrue();
    }
  }

  @Test
  void shouldReadNoMoreWhenAMessageOfTheMailEndsTheMail() throws IOException {
    try (Other rank0 = metWithRank0()) {
      whenHeard =
          () -> {
            if (heard.get(heard.size() - 1) instanceof LeaveTeam) {
              tier.close();
              control.close(0);
            }
          };
      heard.clear();
      rank0.tell(1, new LeaveTeam(CALLS, false, List.of()));
      rank0.tell(1, new Wake());

      domain.loop().advance();
      touchAll();

      assertThat(heard).containsExactly(new LeaveTeam(CALLS, true, List.of()));
    }
  }

  @Test
  void shouldTellFirstWhatWaitsForRoomAndThenGiveTheMemoryBack() throws IOException {
    try (Other rank0 = metWithRank0()) {
      Notice longest =
          Notice.of(TeamFailure.atFault(1, FabricError.OTHER, "x".repeat(Notice.MAX_DETAIL_CHARS)));
      control.send(0, longest);
      tier.close();
      control.close(3);
      for (int pass = 0; pass < 20; pass++) {
        rank0.mail.advance();
        domain.loop().advance();
      }

      assertThat(rank0.read).containsExactly(longest, new LeaveTeam(3, true, List.of()));
      touchAll();
    }
  }

  @Test
  void shouldForgetWhatWaitsForAMemberThatIsLostAndThenGiveTheMemoryBack() throws IOException {
    try (Other rank0 = metWithRank0()) {
      control.send(
          0,
          Notice.of(
              TeamFailure.atFault(1, FabricError.OTHER, "x".repeat(Notice.MAX_DETAIL_CHARS))));
      tier.close();
      control.close(0);
      tier.gone(0);
      domain.loop().advance();

      touchAll();
      assertThat(rank0.read).isEmpty();
    }
  }

  @Test
  void shouldFailTheTeamAndNotTheDomainWhenMailIsMoreThanItCanTake() throws IOException {
    try (Other rank0 = metWithRank0()) {
      whenHeard =
          () -> {
            throw new IllegalStateException("on purpose");
          };
      rank0.tell(1, new Wake());

      domain.loop().advance();

      assertThat(failures).hasSize(1);
      assertThat(failures.get(0).detail()).contains("on purpose");
    }
  }

  @Test
  void shouldNameWhoWritesWhatIsNoMessage() throws IOException {
    try (Other rank0 = metWithRank0()) {
      rank0.mail.send(1, UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8));

      domain.loop().advance();

      assertThat(failures).hasSize(1);
      assertThat(failures.get(0).member()).isZero();
      assertThat(failures.get(0).error()).isEqualTo(FabricError.INVALID);
    }
  }
}
