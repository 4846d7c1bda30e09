package io.tagfabric.stream;

import java.util.concurrent.CompletionStage;

/** Ends a running source and tells how it ended. Thread: any. */
public interface SourceControl {
  /**
   * How a source ended.
   *
   * @param emitted messages handed downstream
   * @param dropped messages that had been matched and could not be handed downstream
   */
  record Ended(long emitted, long dropped) {}

  /**
   * Cancels the receives that wait and posts no more; every message that has been matched is still
   * emitted, as downstream asks for it, then the stream completes. A message that no receive has
   * matched stays at the endpoint for the next receive. Idempotent.
   *
   * @return {@link #ended()}
   */
  CompletionStage<Ended> drainAndShutdown();

  /**
   * Completes when the source has ended and has no receive left; fails with what the stream failed
   * with. After a cancel from downstream it counts the matched messages that were not emitted.
   */
  CompletionStage<Ended> ended();
}
