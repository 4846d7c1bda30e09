package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.progress.TimeSource;

/** A started collective of one member. Only passes of the member's loop touch it. */
abstract class CallRun {
  /** Is told once how it ended. */
  interface Listener {
    void onDone(CallRun run);

    void onFailed(TeamFailure failure);

    /** A member has called something else; it goes on when that member has said what. */
    void onDifferent(int member);
  }

  /** Its place among the calls that have not ended; of {@link CallList}. */
  boolean listed;

  CallRun before;
  CallRun after;

  private final CollectiveCall call;
  private final Shape shape;
  private final CallEnd end;
  private final TimeSource time;
  private long epoch;
  private long startedNs;
  private CallSignature signature;
  private long deadlineNs = Long.MAX_VALUE;

  private String algorithm;
  private String tier;
  private MessageCounts counts;
  private long durationNs;

  CallRun(CollectiveCall call, Shape shape, long epoch, CallEnd end, TimeSource time) {
    this.call = call;
    this.shape = shape;
    this.epoch = epoch;
    this.end = end;
    this.time = time;
    startedNs = time.nanoTime();
  }

  final CollectiveCall call() {
    return call;
  }

  final Shape shape() {
    return shape;
  }

  /** What must be equal at all members. */
  final CallSignature signature() {
    return signature(null);
  }

  /** The same; that of an earlier call serves if it is equal, and may be null. */
  final CallSignature signature(CallSignature earlier) {
    if (signature == null) {
      boolean serves = earlier != null && earlier.isOf(call, shape);
      signature = serves ? earlier : CallSignature.of(call, shape);
    }
    return signature;
  }

  /** When it must have ended, on the loop's clock; the greatest number for never. */
  final long deadlineNs() {
    return deadlineNs;
  }

  final void deadlineNs(long endNs) {
    deadlineNs = endNs;
  }

  final long epoch() {
    return epoch;
  }

  final CallEnd end() {
    return end;
  }

  final TimeSource time() {
    return time;
  }

  /**
   * Becomes the next call of a member that makes the same again, after it has ended.
   *
   * @return false if another is needed for that
   */
  boolean again(long itsEpoch) {
    return false;
  }

  /** As {@link #again}, for those that can. */
  final void restarted(long itsEpoch) {
    epoch = itsEpoch;
    startedNs = time.nanoTime();
    deadlineNs = Long.MAX_VALUE;
  }

  /** It has ended well, in this way. */
  final void ended(String itsAlgorithm, String itsTier, MessageCounts itsCounts) {
    algorithm = itsAlgorithm;
    tier = itsTier;
    counts = itsCounts;
    durationNs = time.nanoTime() - startedNs;
  }

  /** How it went; when it has ended well. */
  final CollectiveCompletion completion() {
    return new CollectiveCompletion(
        call.collective(),
        algorithm,
        tier,
        counts.segments(),
        counts.messages(),
        counts.bytes(),
        durationNs);
  }

  abstract void start();

  /** Ends it without a word; false if it is about to complete and must not be touched. */
  abstract boolean abandon();
}
