package io.tagfabric.flow.window;

/**
 * How a message travels by its length.
 *
 * <pre>
 *  0 ........ eagerLimit ........ multiEagerLimit ........
 *  | one frame | several packets | asks first, then windows
 * </pre>
 *
 * Without byte credit, and at level MATCH, every message asks first.
 *
 * @param eagerLimitBytes longest message that travels in one frame without asking
 * @param multiEagerLimitBytes longest message that travels without asking
 * @param windowBytes a longer message is asked for by so many bytes at a time
 * @param windows of one message that may be under way
 * @source PSM3 psm_mq.c (short, eager, long protocol); OPX rendezvous
 */
public record SizeClasses(
    int eagerLimitBytes, int multiEagerLimitBytes, int windowBytes, int windows) {
  public SizeClasses {
    if (windowBytes < 1 || windows < 1) {
      throw new IllegalArgumentException(
          "windowBytes=" + windowBytes + " or windows=" + windows + " < 1, a window needs both");
    }
  }

  /** Longest message that travels without asking, in one frame or several packets. */
  public int unaskedLimitBytes() {
    return Math.max(eagerLimitBytes, multiEagerLimitBytes);
  }

  /** Bytes of one message that may be under way. */
  public long bytesUnderWay() {
    return (long) windowBytes * windows;
  }
}
