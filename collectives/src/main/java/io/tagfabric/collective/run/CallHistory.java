package io.tagfabric.collective.run;

import io.tagfabric.collective.run.ControlMessage.CallAnswer;
import io.tagfabric.collective.run.ControlMessage.CallQuestion;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The last calls of one member, to find out in words how those of two members differ when their
 * hashes do. Only passes of the loop touch it.
 */
final class CallHistory {
  private static final int KEPT = 64;
  private static final long NONE = -1;

  /** Null before the first is added: members that meet in a cell never add one. */
  private CallSignature[] calls;

  private long next;

  /** Adds a call; those since the last one that was added are not known. */
  void add(CallRun run) {
    long epoch = run.epoch();
    if (calls == null) {
      calls = new CallSignature[KEPT];
    }
    for (long unknown = Math.max(next, epoch - KEPT); unknown < epoch; unknown++) {
      calls[(int) (unknown % KEPT)] = null;
    }
    calls[(int) (epoch % KEPT)] = run.signature(call(epoch - 1));
    next = epoch + 1;
  }

  private long first() {
    return Math.max(0, next - KEPT);
  }

  /** A number that is the same for all who call the same; none if this call has not been made. */
  OptionalInt number(long epoch) {
    if (epoch >= next) {
      return OptionalInt.empty();
    }
    long hash = hash(epoch);
    return OptionalInt.of((int) (hash ^ hash >>> 32));
  }

  /** 0 if it is not known. */
  private long hash(long epoch) {
    CallSignature call = call(epoch);
    return call == null ? 0 : call.hash();
  }

  private CallSignature call(long epoch) {
    return epoch < first() || epoch >= next ? null : calls[(int) (epoch % KEPT)];
  }

  /** The text of a call, null if it is not known any more, or not yet. */
  String describe(long epoch) {
    CallSignature call = call(epoch);
    return call == null ? null : call.toString();
  }

  /** Asks another member how its calls differ from these. */
  CallQuestion question() {
    List<Long> hashes = new ArrayList<>();
    for (long epoch = first(); epoch < next; epoch++) {
      hashes.add(hash(epoch));
    }
    return new CallQuestion(first(), hashes);
  }

  /** The first call in which this member differs from one that asks. */
  CallAnswer answer(CallQuestion question) {
    for (int i = 0; i < question.hashes().size(); i++) {
      long epoch = question.first() + i;
      CallSignature call = call(epoch);
      if (call != null && call.hash() != question.hashes().get(i)) {
        return new CallAnswer(epoch, call.toString());
      }
    }
    return new CallAnswer(NONE, "");
  }

  /** What a member that has answered does, to go on after its name. */
  String difference(CallAnswer answer, int rank) {
    String own = describe(answer.epoch());
    return own == null
        ? "has called something else than rank " + rank + ", call the same everywhere"
        : "calls ["
            + answer.call()
            + "] where rank "
            + rank
            + " calls ["
            + own
            + "], call the same everywhere";
  }
}
