package io.tagfabric.collective.run;

import io.tagfabric.collective.host.HostBoard;
import io.tagfabric.collective.host.HostDeparture;
import io.tagfabric.collective.host.HostMismatch;
import io.tagfabric.collective.host.HostSegment;
import io.tagfabric.error.FabricError;
import io.tagfabric.progress.Doorbell;
import io.tagfabric.progress.ProgressLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The collectives of a team whose members are all on one host, in memory they share. Calls end in
 * the order in which they were made.
 *
 * <p><b>Meeting.</b> With its first call the member with rank 0 makes a file and offers it to the
 * others; each maps it, and answers; when all have answered, rank 0 removes the file's name and
 * tells all whether the memory is used. Calls made before wait. If one cannot map it, the calls of
 * all go by messages.
 *
 * <p><b>Progress.</b> Passes of the loop look at the flags. Before a thread sleeps it says so in
 * the shared memory, and who has something for it then sends an empty message, which wakes it as
 * any other does.
 *
 * <p>Only passes of the loop use it, save for the doorbell.
 */
final class HostTier {
  private static final Logger LOG = LoggerFactory.getLogger(HostTier.class);

  /** Is told how calls end. */
  interface Listener {
    void onDone(HostRun run);

    void onFailed(TeamFailure failure);

    /** The memory is not used: the call goes by messages. */
    void onRefused(HostRun run);
  }

  private static final int NOBODY = -1;

  private enum State {
    NEW,
    MEETING,
    USED,
    REFUSED,
    CLOSED
  }

  private final Members members;
  private final CollectiveSettings settings;
  private final TeamControl control;
  private final Listener listener;
  private final ArrayDeque<HostRun> waiting = new ArrayDeque<>();
  private final ProgressLoop.Step poll = this::advance;
  private final Doorbell bell = new Bell();
  private State state = State.NEW;
  private HostPlace place;
  private HostSegment segment;
  private int answers;
  private boolean allMapped = true;
  private int goneBeforeUse = NOBODY;
  private volatile HostBoard board;

  HostTier(Members members, CollectiveSettings settings, TeamControl control, Listener listener) {
    this.members = members;
    this.settings = settings;
    this.control = control;
    this.listener = listener;
  }

  void start(HostRun run) {
    switch (state) {
      case REFUSED -> listener.onRefused(run);
      case CLOSED -> {}
      default -> {
        waiting.add(run);
        if (state != State.USED && goneBeforeUse != NOBODY) {
          failMeeting();
        } else if (state == State.NEW && members.rank() == 0) {
          offer();
        } else {
          advance();
        }
      }
    }
  }

  /** Nothing more is done; the team is broken. */
  void abandon(HostRun run) {
    waiting.remove(run);
    close();
  }

  /**
   * A member is no more. Nobody has to wait for it, but what it has written can be read: whether a
   * call needs more of it shows when the call goes on.
   */
  void gone(int member) {
    if (state == State.USED) {
      board.absent(member);
      advance();
    } else if (state == State.NEW || state == State.MEETING) {
      goneBeforeUse = member;
      failMeeting();
    }
  }

  /** Without all members there is no meeting. */
  private void failMeeting() {
    if (!waiting.isEmpty()) {
      listener.onFailed(departed(goneBeforeUse, "has left it"));
    }
  }

  private static TeamFailure departed(int member, String detail) {
    return new TeamFailure(member, FabricError.SHUTDOWN, detail);
  }

  // ---- meeting ----

  private void offer() {
    state = State.MEETING;
    long token = ThreadLocalRandom.current().nextLong();
    try {
      place = HostPlace.choose(members.domain().fabric().settings(), token);
      segment =
          HostSegment.create(
              place.path(), token, members.size(), settings.slots(), settings.chunkBytes());
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
    SegmentOffer offer = new SegmentOffer(token, place.path().toString());
    for (int member = 1; member < members.size(); member++) {
      control.tell(member, offer);
    }
  }

  /** A member has said something about the memory. */
  void onMessage(int from, ControlMessage message) {
    if (state == State.CLOSED) {
      return;
    }
    if (message instanceof SegmentOffer offer && from == 0 && state == State.NEW) {
      state = State.MEETING;
      control.tell(0, new SegmentAnswer(map(offer)));
    } else if (message instanceof SegmentAnswer answer && place != null) {
      allMapped &= answer.mapped();
      if (++answers == members.size() - 1) {
        decide();
      }
    } else if (message instanceof SegmentVerdict verdict && from == 0) {
      decided(verdict.used());
    }
  }

  private boolean map(SegmentOffer offer) {
    try {
      segment = HostSegment.open(Path.of(offer.path()), offer.token(), members.size());
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "team [{}] cannot map [{}], its collectives go by messages: {}",
          members.context(),
          offer.path(),
          e.toString());
      return false;
    }
  }

  /** Rank 0: all have answered. */
  private void decide() {
    leavePlace();
    SegmentVerdict verdict = new SegmentVerdict(allMapped);
    for (int member = 1; member < members.size(); member++) {
      control.tell(member, verdict);
    }
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
      board = new HostBoard(segment, members.rank(), member -> control.tell(member, new Wake()));
      members.domain().loop().addPoll(poll);
      members.domain().loop().addDoorbell(bell);
      advance();
      return;
    }
    state = State.REFUSED;
    closeSegment();
    List<HostRun> refused = List.copyOf(waiting);
    waiting.clear();
    refused.forEach(listener::onRefused);
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
          HostRun run = waiting.peek();
          if (run == null) {
            return work;
          }
          board.begin(run.work(segment));
        }
        if (!board.advance()) {
          return work;
        }
        work++;
        if (!board.isBusy()) {
          listener.onDone(waiting.poll());
        }
      }
    } catch (HostMismatch mismatch) {
      listener.onFailed(
          new TeamFailure(
              mismatch.member(),
              FabricError.INVALID,
              mismatch.getMessage() + ", call the same everywhere"));
    } catch (HostDeparture departure) {
      listener.onFailed(departed(departure.member(), departure.getMessage()));
    } catch (RuntimeException e) {
      listener.onFailed(
          new TeamFailure(members.rank(), FabricError.OTHER, "its operator has thrown " + e));
    }
    return work + 1;
  }

  /** Tells the others that this member takes part in nothing more. */
  void leave() {
    if (state == State.USED) {
      board.leave();
    }
  }

  /** Gives the memory back. Idempotent. */
  void close() {
    if (state == State.CLOSED) {
      return;
    }
    state = State.CLOSED;
    waiting.clear();
    leavePlace();
    if (board == null) {
      closeSegment();
      return;
    }
    members.domain().loop().removePoll(poll);
    members.domain().loop().removeDoorbell(bell);
    board.close();
  }

  private void closeSegment() {
    if (segment != null) {
      segment.close();
      segment = null;
    }
  }

  private final class Bell implements Doorbell {
    @Override
    public boolean announce() {
      return board.announce();
    }

    @Override
    public void withdraw() {
      board.withdraw();
    }
  }
}
