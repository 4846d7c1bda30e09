package io.tagfabric.collective.run;

import io.tagfabric.cluster.control.ControlCodec;
import io.tagfabric.error.FabricError;
import java.util.BitSet;
import java.util.List;

/** What members of a team tell one another about the team itself. */
sealed interface ControlMessage {
  /** No control message is longer: room for a text, or for some bits of each of many members. */
  int MAX_LENGTH_BYTES = 256 * 1024;

  /** All of them as bytes. The flows they travel in have proved the job's key. */
  ControlCodec CODEC =
      ControlCodec.of("a control message of a team")
          .as(FabricError.class, Integer.class, FabricError::code, ControlMessage::error)
          .as(
              TeamFailure.Reason.class,
              Integer.class,
              TeamFailure.Reason::code,
              TeamFailure.Reason::of)
          .as(BitSet.class, byte[].class, BitSet::toByteArray, BitSet::valueOf)
          .message(60, Notice.class)
          .message(61, Gather.class)
          .message(67, Estimate.class)
          .message(68, Verdict.class)
          .message(69, Report.class)
          .message(70, CallQuestion.class)
          .message(71, CallAnswer.class)
          .message(62, LeaveTeam.class)
          .message(63, SegmentOffer.class)
          .message(64, SegmentAnswer.class)
          .message(65, SegmentVerdict.class)
          .message(66, Wake.class)
          .build();

  /**
   * The message that bytes hold.
   *
   * @param size members of the team
   * @throws IllegalArgumentException if it is none, or none of a team of this size
   */
  static ControlMessage decode(byte[] bytes, int size) {
    ControlMessage message = (ControlMessage) CODEC.decode(bytes, 0);
    message.requireOf(size);
    return message;
  }

  /**
   * Whether it is a message of a team of so many members.
   *
   * @throws IllegalArgumentException if it is not
   */
  default void requireOf(int size) {}

  /** A code that this version does not know stands for an error of no kind. */
  private static FabricError error(int code) {
    return FabricError.find(code).orElse(FabricError.OTHER);
  }

  /**
   * A team can no longer do collectives.
   *
   * @param member whose fault or doing it is
   * @param reason whether that member is still there
   * @param error what kind
   * @param detail goes on after the member's name; a very long one is cut
   */
  record Notice(int member, TeamFailure.Reason reason, FabricError error, String detail)
      implements ControlMessage {
    static final int MAX_DETAIL_CHARS = 2 * 1024;

    public Notice {
      if (detail.length() > MAX_DETAIL_CHARS) {
        detail = detail.substring(0, MAX_DETAIL_CHARS);
      }
    }

    static Notice of(TeamFailure failure) {
      return new Notice(failure.member(), failure.reason(), failure.error(), failure.detail());
    }

    TeamFailure failure() {
      return new TeamFailure(member, reason, error, detail, null);
    }

    @Override
    public void requireOf(int size) {
      if (member < 0 || member >= size) {
        throw new IllegalArgumentException("member=" + member + " is outside 0.." + (size - 1));
      }
    }
  }

  /** A message of an {@link Agreement}. */
  sealed interface AgreementMessage extends ControlMessage {
    /** Which agreement of the team. */
    long instance();

    /** Refuses members, or ballots, that a team of this size does not have. */
    private static void require(int size, long ballot, BitSet... sets) {
      if (ballot < 0 || ballot >= Agreement.ballotsBefore(size, size)) {
        throw new IllegalArgumentException(
            "ballot=" + ballot + " is not of a team of size=" + size);
      }
      for (BitSet set : sets) {
        if (set.length() > size) {
          throw new IllegalArgumentException(
              "members=" + set + " are not of a team of size=" + size);
        }
      }
    }
  }

  /**
   * From the root down: begin with this ballot.
   *
   * @param without members that it leaves out
   */
  record Gather(long instance, long ballot, BitSet without) implements AgreementMessage {
    public Gather {
      without = (BitSet) without.clone();
    }

    @Override
    public BitSet without() {
      return (BitSet) without.clone();
    }

    @Override
    public void requireOf(int size) {
      AgreementMessage.require(size, ballot, without);
    }
  }

  /**
   * To the root.
   *
   * @param decided whether the sender has decided this
   * @param decision else what it and those behind it propose
   */
  record Estimate(long instance, long ballot, boolean decided, Decision decision)
      implements AgreementMessage {
    @Override
    public void requireOf(int size) {
      AgreementMessage.require(size, ballot, decision.lost());
      decision.requireOf(size);
    }
  }

  /** From the root down: this is decided. */
  record Verdict(long instance, long ballot, BitSet without, Decision decision)
      implements AgreementMessage {
    public Verdict {
      without = (BitSet) without.clone();
    }

    @Override
    public BitSet without() {
      return (BitSet) without.clone();
    }

    @Override
    public void requireOf(int size) {
      AgreementMessage.require(size, ballot, without, decision.lost());
      decision.requireOf(size);
    }
  }

  /** To the root: these are lost. */
  record Report(long instance, BitSet lost) implements AgreementMessage {
    public Report {
      lost = (BitSet) lost.clone();
    }

    @Override
    public BitSet lost() {
      return (BitSet) lost.clone();
    }

    @Override
    public void requireOf(int size) {
      AgreementMessage.require(size, 0, lost);
    }
  }

  /**
   * The sender closes its handle of the team.
   *
   * @param calls collectives it has started and completed before; it takes part in no later one
   * @param isOver false if it still takes part in agreements that it has begun; then it sends
   *     another when these have ended
   * @param decided agreements that others may not have heard the end of
   */
  record LeaveTeam(long calls, boolean isOver, List<Verdict> decided) implements ControlMessage {
    public LeaveTeam {
      decided = List.copyOf(decided);
    }

    @Override
    public void requireOf(int size) {
      decided.forEach(each -> each.requireOf(size));
    }
  }

  /**
   * The sender has made a file in which the members meet; map it and say so.
   *
   * @param token by which it is known
   */
  record SegmentOffer(long token, String path) implements ControlMessage {}

  /** Whether the sender has mapped the file it was offered. */
  record SegmentAnswer(boolean mapped) implements ControlMessage {}

  /** Whether all have mapped the file, and so use it. */
  record SegmentVerdict(boolean used) implements ControlMessage {}

  /**
   * The sender has found that the receiver calls something else: what?
   *
   * @param first number of the first of these calls
   * @param hashes of what the sender has called
   */
  record CallQuestion(long first, List<Long> hashes) implements ControlMessage {
    public CallQuestion {
      hashes = List.copyOf(hashes);
    }
  }

  /**
   * The sender has called something else.
   *
   * @param epoch number of the first such call; -1 if it does not know it any more
   * @param call what it has called
   */
  record CallAnswer(long epoch, String call) implements ControlMessage {}

  /** There is something to do in the shared memory; the message itself says nothing. */
  record Wake() implements ControlMessage {}
}
