package io.tagfabric.collective.run;

import io.tagfabric.collective.host.CallMismatchException;
import io.tagfabric.collective.host.MemberLeftException;
import io.tagfabric.collective.host.SharedBoard;
import io.tagfabric.collective.host.SharedMail;
import io.tagfabric.collective.host.SharedSegment;
import io.tagfabric.collective.host.SharedWork;
import io.tagfabric.collective.run.ControlMessage.SegmentAnswer;
import io.tagfabric.collective.run.ControlMessage.SegmentOffer;
import io.tagfabric.collective.run.ControlMessage.SegmentVerdict;
import io.tagfabric.collective.run.ControlMessage.Wake;
import io.tagfabric.error.FabricError;
import io.tagfabric.progress.Doorbell;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the members of a team that are on one host do together, in memory they share. Tasks end in
 * the order in which they were started.
 *
 * <p><b>Meeting.</b> With its first task the first of these members makes a file and offers it to
 * the others; each maps it, and answers; when all have answered, the first removes the file's name
 * and tells all whether the memory is used. Tasks started before wait. If one cannot map it, all of
 * the host are refused.
 *
 * <p><b>Progress.</b> Passes of the loop look at the flags. Before a thread sleeps it says so in
 * the shared memory, and a member that has something for it then sends an empty message, which
 * wakes it as any other does.
 *
 * <p>Only passes of the loop use it, save for the doorbell.
 */
final class SharedTier {
  private static final Logger LOG = LoggerFactory.getLogger(SharedTier.class);

  /** Something that all members of the host do, in the same order. */
  interface Task {
    /** Its part of this member. */
    SharedWork work(SharedSegment segment);

    /** This member's part has ended. */
    void onDone();

    /** The memory is not used. */
    void onRefused();
  }

  private static final int NOBODY = -1;

  private enum State {
    NEW,
    MEETING,
    USED,
    DIFFERENT,
    REFUSED,
    CLOSED
  }

  private final Members members;
  private final int[] ranks;
  private final CollectiveSettings settings;
  private final TeamControl control;
  private final Consumer<TeamFailure> onFailed;
  private final IntConsumer onDifferent;
  private final ArrayDeque<Task> waiting = new ArrayDeque<>();
  private final ProgressLoop.Step poll = this::pass;
  private final Doorbell bell = new Bell();
  private State state = State.NEW;
  private SharedFile place;
  private SharedSegment segment;

  /** Members that have said whether they have mapped the file. */
  private final BitSet answered = new BitSet();

  private boolean allMapped = true;
  private int goneBeforeUse = NOBODY;
  private volatile SharedBoard board;

  /** Goes on when the team is broken, as agreements do. */
  private volatile SharedMail mail;

  private boolean isMailOver;

  /**
   * Prepares a meeting.
   *
   * @param ranks the members of this host, in order
   * @param onFailed runs when the team is broken
   * @param onDifferent runs with a member that calls something else
   */
  SharedTier(
      Members members,
      int[] ranks,
      CollectiveSettings settings,
      TeamControl control,
      Consumer<TeamFailure> onFailed,
      IntConsumer onDifferent) {
    this.members = members;
    this.ranks = ranks;
    this.settings = settings;
    this.control = control;
    this.onFailed = onFailed;
    this.onDifferent = onDifferent;
  }

  TimeSource time() {
    return members.domain().loop().time();
  }

  void start(Task task) {
    switch (state) {
      case REFUSED -> task.onRefused();
      case CLOSED -> {}
      default -> {
        waiting.add(task);
        if (isUndecided() && goneBeforeUse != NOBODY) {
          failMeeting();
        } else if (state == State.NEW && isFirst(members.rank())) {
          offer();
        } else {
          advance();
        }
      }
    }
  }

  /** Whether another member is of this host. */
  boolean has(int member) {
    return member != members.rank() && Arrays.binarySearch(ranks, member) >= 0;
  }

  private boolean isFirst(int rank) {
    return rank == ranks[0];
  }

  /**
   * A member is no more. Nobody has to wait for it, but what it has written can be read: whether a
   * call needs more of it shows when the call goes on.
   */
  void gone(int member) {
    int place = Arrays.binarySearch(ranks, member);
    if (place < 0) {
      return;
    }
    if (mail != null) {
      mail.forget(place);
    }
    if (state == State.USED) {
      board.absent(place);
      advance();
    } else if (isUndecided()) {
      goneBeforeUse = member;
      failMeeting();
    }
  }

  /** Without all members there is no meeting. */
  private void failMeeting() {
    if (!waiting.isEmpty()) {
      onFailed.accept(TeamFailure.left(goneBeforeUse));
    }
  }

  // ---- meeting ----

  private void offer() {
    state = State.MEETING;
    long token = members.domain().fabric().environment().random().nextLong();
    try {
      place = SharedFile.choose(members.domain().fabric().settings(), token);
      segment =
          SharedSegment.create(
              place.path(), token, ranks.length, settings.slots(), settings.chunkBytes());
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "team [{}] has no memory for its collectives and sends messages instead: {}; enlarge"
              + " {} or set tagfabric.collective.shared-memory = off",
          members.context(),
          e.getMessage(),
          place == null ? "the shared memory" : place.path().getParent());
      allMapped = false;
      decide();
      return;
    }
    tellOthers(new SegmentOffer(token, place.path().toString()));
  }

  private void tellOthers(ControlMessage message) {
    for (int place = 1; place < ranks.length; place++) {
      control.send(ranks[place], message);
    }
  }

  /** A member has said something about the memory. */
  void onMessage(int from, ControlMessage message) {
    if (state == State.CLOSED) {
      if (message instanceof SegmentVerdict verdict && isFirst(from) && segment != null) {
        openMail(verdict.used()); // the others use it for what they tell
      }
      return;
    }
    if (message instanceof SegmentOffer offer && isFirst(from) && state == State.NEW) {
      state = State.MEETING;
      control.send(from, new SegmentAnswer(map(offer)));
    } else if (message instanceof SegmentAnswer answer && place != null && has(from)) {
      answered.set(from);
      allMapped &= answer.mapped();
      if (answered.cardinality() == ranks.length - 1) {
        decide();
      }
    } else if (message instanceof SegmentVerdict verdict && isFirst(from) && isUndecided()) {
      onVerdict(from, verdict.used());
    }
  }

  private boolean isUndecided() {
    return state == State.NEW || state == State.MEETING;
  }

  private void onVerdict(int from, boolean used) {
    if (used && segment == null) {
      onFailed.accept(
          TeamFailure.atFault(
              from,
              FabricError.INVALID,
              "says that all have mapped its memory, and rank " + members.rank() + " has not"));
    } else {
      decided(used);
    }
  }

  private boolean map(SegmentOffer offer) {
    try {
      segment = SharedSegment.open(Path.of(offer.path()), offer.token(), ranks.length);
      return true;
    } catch (NoSuchFileException e) {
      if (Files.isDirectory(Path.of(offer.path()).getParent())) {
        LOG.debug("team [{}]: who offered [{}] has left", members.context(), offer.path());
      } else {
        warn(offer, e);
      }
      return false;
    } catch (IOException | RuntimeException e) {
      warn(offer, e);
      return false;
    }
  }

  private void warn(SegmentOffer offer, Exception failure) {
    LOG.warn(
        "team [{}] cannot map [{}], its collectives go by messages: {}",
        members.context(),
        offer.path(),
        failure.toString());
  }

  /** All have answered the first one. */
  private void decide() {
    leavePlace();
    tellOthers(new SegmentVerdict(allMapped));
    decided(allMapped);
  }

  private void leavePlace() {
    if (place != null) {
      place.close();
      place = null;
    }
  }

  private void decided(boolean used) {
    if (used) {
      state = State.USED;
      board =
          new SharedBoard(
              segment,
              Arrays.binarySearch(ranks, members.rank()),
              place -> control.send(ranks[place], new Wake()));
      openMail(true);
      advance();
      return;
    }
    state = State.REFUSED;
    closeSegment();
    List<Task> refused = List.copyOf(waiting);
    waiting.clear();
    refused.forEach(Task::onRefused);
  }

  // ---- mail ----

  private void openMail(boolean used) {
    if (!used || mail != null || isMailOver) {
      return;
    }
    mail =
        new SharedMail(
            segment,
            Arrays.binarySearch(ranks, members.rank()),
            place -> control.send(ranks[place], new Wake()),
            new Letters(),
            control.notesSent(ranks),
            control.notesCome(ranks));
    members.domain().loop().addPoll(poll);
    members.domain().loop().addDoorbell(bell);
  }

  /** Tells a member of this host something; false if that must go as a note. */
  boolean send(int member, byte[] message) {
    int place = mail == null ? -1 : Arrays.binarySearch(ranks, member);
    if (place < 0) {
      return false;
    }
    mail.send(place, message);
    return true;
  }

  /** A note has come that its sender may have sent before it had mail. */
  void noteCame(int member) {
    int place = mail == null ? -1 : Arrays.binarySearch(ranks, member);
    if (place >= 0) {
      mail.noteCame(place);
    }
  }

  /** Reads what members have written, also those that have ended. */
  void readMail() {
    if (mail != null) {
      mail.readAll();
    }
  }

  /** This member tells and hears nothing more. */
  void endMail() {
    isMailOver = true;
    giveBack();
  }

  /** Gives the memory back when nobody uses it here; what is told last waits for room. */
  private void giveBack() {
    if (state != State.CLOSED || !isMailOver || (mail != null && mail.hasWaiting())) {
      return;
    }
    if (mail != null) {
      members.domain().loop().removePoll(poll);
      members.domain().loop().removeDoorbell(bell);
      mail.close();
    }
    closeSegment();
  }

  private int pass() {
    int work = mail.advance();
    if (isMailOver) {
      giveBack();
    }
    return work + advance();
  }

  // ---- work ----

  /** Goes on as far as the others let it; gives the work done. */
  private int advance() {
    if (state != State.USED) {
      return 0;
    }
    int work = 0;
    try {
      while (state == State.USED) {
        if (!board.isBusy()) {
          Task task = waiting.peek();
          if (task == null) {
            return work;
          }
          board.begin(task.work(segment));
        }
        if (!board.advance()) {
          return work;
        }
        work++;
        if (!board.isBusy()) {
          waiting.remove().onDone();
        }
      }
    } catch (CallMismatchException mismatch) {
      state = State.DIFFERENT; // until that member has said what it calls
      onDifferent.accept(ranks[mismatch.member()]);
    } catch (MemberLeftException left) {
      onFailed.accept(TeamFailure.left(ranks[left.member()]));
    } catch (Throwable e) {
      onFailed.accept(TeamFailure.thrown(members.rank(), e));
    }
    return work + 1;
  }

  /** Tells the others that this member takes part in nothing more. */
  void leave() {
    if (state == State.USED) {
      board.leave();
    }
  }

  /** Ends the tasks. Idempotent. */
  void close() {
    if (state == State.CLOSED) {
      return;
    }
    boolean isMeeting = state == State.MEETING;
    state = State.CLOSED;
    waiting.clear();
    leavePlace();
    if (board != null) {
      board.close();
    } else if (!isMeeting || isFirst(members.rank())) {
      closeSegment();
    }
    giveBack();
  }

  private void closeSegment() {
    if (segment != null) {
      segment.close();
      segment = null;
    }
  }

  /** What has come goes to the control; nothing it meets there may end the pass of the domain. */
  private final class Letters implements SharedMail.Reader {
    @Override
    public void onMail(int place, byte[] message) {
      try {
        control.onMail(ranks[place], message);
      } catch (RuntimeException e) {
        onFailed.accept(TeamFailure.thrown(members.rank(), e));
      }
    }

    @Override
    public void onBroken(int place, int lengthBytes) {
      onFailed.accept(
          TeamFailure.atFault(
              ranks[place],
              FabricError.INVALID,
              "has written a message of lengthBytes="
                  + lengthBytes
                  + " outside 0.."
                  + SharedMail.MOST_BYTES
                  + " into the memory of its host"));
    }
  }

  /** A member that sleeps is woken for flags that it waits for, and for all mail. */
  private final class Bell implements Doorbell {
    @Override
    public boolean announce() {
      if (board != null && !board.announce()) {
        return false;
      }
      if (mail.announce()) {
        return true;
      }
      if (board != null) {
        board.withdraw();
      }
      return false;
    }

    @Override
    public void withdraw() {
      mail.withdraw();
      if (board != null) {
        board.withdraw();
      }
    }
  }
}
