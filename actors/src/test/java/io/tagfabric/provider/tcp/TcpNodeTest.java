package io.tagfabric.provider.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.error.FabricError;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Relay;
import io.tagfabric.provider.tcp.record.Records;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes against one another, and against whoever dials them, by a clock that stands still. */
class TcpNodeTest {
  private final AtomicLong clock = new AtomicLong(1_000_000_000);
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  private <T extends AutoCloseable> T open(T one) {
    opened.addFirst(one);
    return one;
  }

  private TestNode node() {
    return open(new TestNode(clock));
  }

  /** Both send, both get. */
  private static void exchange(TestNode near, TestNode far, int number) {
    assertThat(near.offer(far.address, number, 100)).isTrue();
    assertThat(far.offer(near.address, -number, 100)).isTrue();
    TestNode.await(
        "an exchange",
        () -> near.received.contains(-number) && far.received.contains(number),
        near,
        far);
  }

  // ---- strangers ----

  @ParameterizedTest
  @ValueSource(ints = {1, 103, 104, 105, 4_000})
  void shouldSayNothingToWhoProvesNothing(int bytes) throws IOException {
    TestNode near = node();
    TestNode far = node();
    exchange(near, far, 1);
    HandPeer stranger = open(new HandPeer(far));
    byte[] junk = new byte[bytes];
    new Random(bytes).nextBytes(junk);

    stranger.write(junk);
    far.run(100);
    if (bytes < Proof.DIAL_BYTES) {
      assertThat(stranger.read(10)).as("it may say more").isEmpty();
      HandPeer.move(far, 5, TimeUnit.SECONDS);
    }

    assertThat(stranger.readToEnd()).isEmpty();
    exchange(near, far, 2);
  }

  @Test
  void shouldSayNothingToAnotherProtocolOrAnotherKey() throws IOException {
    TestNode node = node();
    HandPeer http = open(new HandPeer(node));
    http.write(("GET / HTTP/1.1\r\n" + "x".repeat(200)).getBytes(StandardCharsets.US_ASCII));
    HandPeer other = open(new HandPeer(node, new UUID(8, 8), 1, 11, 0));
    other.dial(node.id(), 0);

    assertThat(http.readToEnd()).isEmpty();
    assertThat(other.readToEnd()).isEmpty();
  }

  @Test
  void shouldServeItsPeersWhileStrangersHoldAllPlaces() throws IOException {
    TestNode near = node();
    TestNode far = node();
    exchange(near, far, 1);
    List<HandPeer> strangers = new ArrayList<>();
    for (int i = 0; i < Guests.MOST + 5; i++) {
      strangers.add(open(new HandPeer(far)));
    }
    far.run(200);

    exchange(near, far, 2);
    TestNode late = node();
    assertThat(late.offer(far.address, 3, 100)).isTrue();
    for (int i = 0; i < 200; i++) {
      late.run(1);
      far.run(1);
    }
    assertThat(far.received).as("it waits").doesNotContain(3);

    HandPeer.move(far, 5, TimeUnit.SECONDS);
    TestNode.await("its turn", () -> far.received.contains(3), late, far);
    HandPeer.move(far, 5, TimeUnit.SECONDS);
    strangers.forEach(each -> assertThat(each.readToEnd()).isEmpty());
    exchange(node(), far, 4);
  }

  @Test
  void shouldServeEachOfManyPeersThatDialAtOnce() {
    TestNode far = node();
    List<TestNode> crowd = new ArrayList<>();
    for (int i = 0; i < 3 * Guests.MOST; i++) {
      TestNode one = node();
      crowd.add(one);
      assertThat(one.offer(far.address, i, 20)).isTrue();
      one.run(20); // its dial has left before far looks
    }

    TestNode.await(
        "all of them",
        () -> {
          far.run(1);
          crowd.forEach(one -> one.run(1));
          return far.received.size() >= crowd.size()
              || crowd.stream().anyMatch(one -> closed(one, far));
        });

    assertThat(crowd).noneMatch(one -> closed(one, far));
    assertThat(far.received).hasSameSizeAs(crowd).doesNotHaveDuplicates();
  }

  private static boolean closed(TestNode near, TestNode far) {
    return near.channels.get(far.address).closedBecause() != null;
  }

  @Test
  void shouldAnswerADialThatIsSentAgainAndNothingMore() throws IOException {
    TestNode node = node();
    HandPeer friend = open(new HandPeer(node));
    friend.connect();
    HandPeer thief = open(new HandPeer(node));
    thief.write(friend.dial);
    byte[] answer = thief.readFully(Proof.ANSWER_BYTES);
    assertThat(answer).isNotEqualTo(friend.answer);
    thief.write(friend.finish);

    assertThat(thief.readToEnd()).isEmpty();
    HandPeer silent = open(new HandPeer(node));
    silent.write(friend.dial);
    silent.readFully(Proof.ANSWER_BYTES);
    HandPeer.move(node, 5, TimeUnit.SECONDS);
    assertThat(silent.readToEnd()).isEmpty();
    assertThat(node.offer(friend.address(), 1, 8)).as("the friend's is open").isTrue();
    friend.readFully(Records.length(8));
    assertThat(node.channels.get(friend.address()).closedBecause()).isNull();
  }

  @Test
  void shouldTellTheJobsOwnThatAnotherNodeIsHere() throws IOException {
    TestNode node = node();
    HandPeer peer = open(new HandPeer(node));

    peer.dial(new Proof.NodeId(node.incarnation + 1, node.id().token()), 0);

    assertThat(peer.answer().status()).isEqualTo(Proof.ANOTHER);
    assertThat(peer.readToEnd()).isEmpty();
  }

  @Test
  void shouldRefuseToGoOnWithAStreamThatItDoesNotHave() throws IOException {
    TestNode node = node();
    HandPeer peer = open(new HandPeer(node));

    peer.dial(node.id(), 77);

    assertThat(peer.answer().status()).isEqualTo(Proof.ENDED);
    assertThat(peer.readToEnd()).isEmpty();
  }

  // ---- peers that break the rules ----

  private static byte[] badConfirm() {
    return HandPeer.confirm(1 << 20);
  }

  @Test
  void shouldCloseAConnectionThatBreaksTheRules() throws IOException {
    byte[] unknown = HandPeer.record(9, 5, 16);
    byte[] shortConfirm = HandPeer.record(Records.CONFIRM, 0, 4);
    byte[] shortFrames = HandPeer.record(Records.FRAMES, 5, 7);
    byte[] tooLong = HandPeer.record(Records.PACKET, 5, Records.MAX_PACKET_BYTES + 1);
    byte[] negative = HandPeer.record(Records.PACKET, 5, 8);
    negative[3] = (byte) 0x80;
    TestNode far = node();
    TestNode node = node();
    exchange(far, node, 1);
    for (byte[] bad :
        List.of(unknown, shortConfirm, shortFrames, tooLong, negative, badConfirm())) {
      HandPeer peer = open(new HandPeer(node));
      peer.connect();
      Channel channel = node.to(peer.address());

      peer.write(bad);
      peer.readToEnd();

      assertThat(channel.closedWith()).isEqualTo(FabricError.PROTOCOL);
      assertThat(channel.closedBecause()).contains("broken the rules");
      node.channels.clear();
      exchange(far, node, 2 + opened.size());
    }
  }

  @Test
  void shouldPassByWhatIsForNoEndpoint() throws IOException {
    TestNode node = node();
    HandPeer peer = open(new HandPeer(node));
    peer.connect();
    for (int kind : List.of(Records.PACKET, Records.INJECT, Records.FRAMES)) {
      peer.write(HandPeer.record(kind, 4, 64));
      peer.write(HandPeer.record(kind, Records.MAX_ENDPOINT, 0 == kind ? 0 : 64));
    }
    peer.write(HandPeer.record(Records.PACKET, 4, 0));
    peer.write(HandPeer.record(Records.INJECT, 5, 0));
    peer.write(HandPeer.record(Records.INJECT, 4, 0));
    byte[] good = HandPeer.record(Records.PACKET, 5, 4);
    peer.write(good);

    TestNode.await("the packet", () -> node.received.equals(List.of(0)), node);
  }

  @Test
  void shouldRefuseAPositionBeyondWhatItSent() throws IOException {
    TestNode node = node();
    HandPeer peer = open(new HandPeer(node));
    peer.dial(node.id(), 0);
    peer.answer();
    peer.finish(8);

    peer.readFully(Proof.POSITION_BYTES);
    assertThat(peer.readToEnd()).isEmpty();
  }

  // ---- blocked, silent, broken ----

  @Test
  void shouldSendAllToAPeerThatReadsAgainAfterALongTime() throws IOException {
    TestNode node = node();
    HandPeer peer = open(new HandPeer(node, TestNode.KEY, 1, 11, 4096));
    peer.connect();
    EndpointAddress address = peer.address();
    int sent = 0;
    while (node.offer(address, sent, 60_000)) {
      sent++;
    }
    node.run(1_000); // no room in all that time
    assertThat(sent).isGreaterThan(60);

    long total = (long) sent * Records.length(60_000);
    Random random = new Random(3);
    long[] came = {0};
    TestNode.await(
        "all bytes",
        () -> {
          byte[] some = peer.read(1 + random.nextInt(200_000));
          assertThat(some).isNotNull();
          came[0] += some.length;
          return came[0] >= total;
        },
        node);

    assertThat(came[0]).isEqualTo(total);
  }

  @Test
  void shouldGoOnWhereThePeerHasTheStream() throws IOException {
    TestNode node = node();
    HandPeer first = open(new HandPeer(node));
    long stream = first.connect();
    assertThat(node.offer(first.address(), 1, 1_000)).isTrue();
    assertThat(node.offer(first.address(), 2, 1_000)).isTrue();
    byte[] all = first.readFully(2 * Records.length(1_000));
    byte[] record = HandPeer.record(Records.PACKET, 5, 4);
    first.write(Arrays.copyOf(record, 10));
    node.run(50);
    first.close();
    node.run(50);

    HandPeer second = open(new HandPeer(node));
    second.dial(node.id(), stream);
    assertThat(second.answer()).isEqualTo(new Proof.Answer(Proof.WELCOME, stream));
    second.finish(500);
    long position = second.go();
    assertThat(position).isEqualTo(10);
    second.write(Arrays.copyOfRange(record, 10, record.length));

    byte[] again = second.readFully(all.length - 500);
    assertThat(again).isEqualTo(Arrays.copyOfRange(all, 500, all.length));
    TestNode.await("the record", () -> node.received.size() == 1, node);
  }

  @Test
  void shouldLeaveAPeerThatDoesNotComeBackInTime() throws IOException {
    TestNode node = node();
    HandPeer peer = open(new HandPeer(node));
    peer.connect();
    Channel channel = node.to(peer.address());
    peer.close();
    node.run(50);
    HandPeer.move(node, 9, TimeUnit.SECONDS);
    assertThat(channel.closedBecause()).isNull();

    HandPeer.move(node, 2, TimeUnit.SECONDS);

    assertThat(channel.closedWith()).isEqualTo(FabricError.TIMED_OUT);
    assertThat(channel.closedBecause()).contains("tagfabric.tcp.resume");
  }

  @Test
  void shouldKeepAPeerThatIsFrozenForAWhile() {
    TestNode near = node();
    TestNode far = node();
    exchange(near, far, 1);
    for (int i = 0; i < 20; i++) {
      assertThat(near.offer(far.address, 100 + i, 30_000)).isTrue();
    }
    for (int i = 0; i < 80; i++) { // twenty seconds, in which far does nothing
      HandPeer.move(near, 250, TimeUnit.MILLISECONDS);
    }
    assertThat(near.channels.get(far.address).closedBecause()).isNull();

    TestNode.await("all of it", () -> far.received.size() == 21, near, far);
    assertThat(far.received.subList(1, 21)).isEqualTo(IntStream.range(100, 120).boxed().toList());
    exchange(near, far, 2);
  }

  // ---- both at once ----

  @Test
  void shouldMakeOneConnectionOfTwoDials() {
    Random random = new Random(11);
    for (int pair = 0; pair < 200; pair++) {
      TestNode near = new TestNode(clock);
      TestNode far = new TestNode(clock);
      int count = 1 + random.nextInt(5);
      for (int i = 0; i < count; i++) {
        assertThat(near.offer(far.address, i, 50)).isTrue();
        if (random.nextBoolean()) {
          near.run(random.nextInt(3));
        }
        assertThat(far.offer(near.address, i, 50)).isTrue();
      }
      TestNode.await(
          "pair " + pair,
          () -> {
            near.run(random.nextInt(4));
            far.run(random.nextInt(4));
            return near.received.size() >= count && far.received.size() >= count;
          },
          near,
          far);
      List<Integer> all = IntStream.range(0, count).boxed().toList();
      assertThat(near.received).isEqualTo(all);
      assertThat(far.received).isEqualTo(all);
      assertThat(connections(near) + connections(far)).as("pair " + pair).isEqualTo(1);
      near.close();
      TestNode.await("the end", () -> far.channels.get(near.address).closedBecause() != null, far);
      assertThat(far.channels.get(near.address).closedWith()).isEqualTo(FabricError.SHUTDOWN);
      far.close();
    }
  }

  /** Connections of this host whose one end is a node's port. */
  private static long connections(TestNode node) {
    String place = String.format(":%04X ", node.place().port());
    try {
      return java.nio.file.Files.readString(java.nio.file.Path.of("/proc/net/tcp6"))
          .lines()
          .filter(line -> line.contains(place) && line.contains(" 01 "))
          .filter(line -> line.indexOf(place) < line.lastIndexOf(':', line.indexOf(" 01 ")))
          .filter(line -> line.trim().split("\\s+")[1].endsWith(place.trim()))
          .count();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  // ---- connections that break at any place ----

  /** Runs both for some time of theirs, which is not much longer than it takes. */
  private void pass(TestNode near, TestNode far) {
    clock.addAndGet(TimeUnit.MICROSECONDS.toNanos(50));
    near.run(1);
    far.run(1);
  }

  private Relay relay(TestNode to) {
    Relay relay = open(new Relay());
    relay.to(to.place().port());
    return relay;
  }

  @Test
  void shouldGoOnWhereverTheSetUpOfTheNextConnectionBreaks() {
    TestNode near =
        open(new TestNode(clock, TestNode.KEY, "tagfabric.tcp { dial = never, resume = 1 h }"));
    TestNode far = open(new TestNode(clock, TestNode.KEY, "tagfabric.tcp.resume = 1 h"));
    Relay relay = relay(far);
    EndpointAddress toFar = far.at(relay.port());
    assertThat(near.offer(toFar, 0, 40)).isTrue();
    TestNode.await("the first", () -> far.received.size() == 1, near, far);
    int setUpBytes = Proof.DIAL_BYTES + Proof.ANSWER_BYTES + 2 * Proof.POSITION_BYTES;

    for (int bytes = 0; bytes < setUpBytes + 100; bytes++) {
      int number = bytes + 1;
      relay.cutAfter(bytes);
      relay.cut();
      assertThat(near.offer(toFar, number, 40)).isTrue();
      assertThat(far.offer(near.address, number, 40)).isTrue();
      TestNode.await(
          "after a cut at byte " + bytes,
          () -> {
            pass(near, far);
            return near.received.size() == number && far.received.size() == number + 1;
          });
    }

    assertThat(near.received).isSorted();
    assertThat(far.received).isSorted();
    assertThat(relay.connections()).isGreaterThan(setUpBytes);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void shouldLoseAndDoubleNothingWhateverHappensToItsConnections(long seed) {
    Random random = new Random(seed);
    String patient = "tagfabric.tcp.resume = 1 h";
    TestNode near = open(new TestNode(clock, TestNode.KEY, patient));
    TestNode far = open(new TestNode(clock, TestNode.KEY, patient));
    Relay beforeNear = relay(near);
    Relay beforeFar = relay(far);
    EndpointAddress toNear = near.at(beforeNear.port());
    EndpointAddress toFar = far.at(beforeFar.port());
    int sentThere = 0;
    int sentBack = 0;
    near.offer(toFar, sentThere++, 10);
    TestNode.await("the first", () -> far.received.size() == 1, near, far);

    for (int i = 0; i < 2_000; i++) {
      Relay relay = random.nextBoolean() ? beforeNear : beforeFar;
      switch (random.nextInt(12)) {
        case 0 -> relay.cut();
        case 1, 2 -> relay.cutAfter(random.nextInt(random.nextBoolean() ? 300 : 20_000));
        case 3 -> clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(random.nextInt(300)));
        case 4 -> {
          if (random.nextInt(10) == 0) {
            clock.addAndGet(TimeUnit.SECONDS.toNanos(random.nextInt(12)));
          }
        }
        case 5, 6 -> near.run(random.nextInt(40));
        case 7, 8 -> far.run(random.nextInt(40));
        case 9 -> sentThere += near.offer(toFar, sentThere, length(random)) ? 1 : 0;
        case 10 -> sentBack += far.offer(toNear, sentBack, length(random)) ? 1 : 0;
        default -> pass(near, far);
      }
    }
    beforeNear.cutAfter(Long.MAX_VALUE);
    beforeFar.cutAfter(Long.MAX_VALUE);
    int there = sentThere;
    int back = sentBack;
    TestNode.await(
        "all of it",
        () -> {
          pass(near, far);
          return near.received.size() >= back && far.received.size() >= there;
        });

    assertThat(far.received).isEqualTo(IntStream.range(0, there).boxed().toList());
    assertThat(near.received).isEqualTo(IntStream.range(0, back).boxed().toList());
    assertThat(near.channels.get(toFar).closedBecause()).isNull();
    assertThat(far.channels.get(toNear).closedBecause()).isNull();
    assertThat(beforeNear.connections() + beforeFar.connections()).isGreaterThan(10);
  }

  private static int length(Random random) {
    return 4 + random.nextInt(random.nextInt(3) == 0 ? 60_000 : 300);
  }

  // ---- threads ----

  @Test
  void shouldServeOnWhenAnInterruptedThreadDrives() {
    TestNode near = node();
    TestNode far = node();
    Thread.currentThread().interrupt();
    try {
      exchange(near, far, 1);
      for (int i = 2; i < 50; i++) {
        exchange(near, far, i);
      }
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    exchange(near, far, 1_000);
    assertThat(near.channels.get(far.address).closedBecause()).isNull();
    assertThat(connections(near) + connections(far)).isEqualTo(1);
  }
}
