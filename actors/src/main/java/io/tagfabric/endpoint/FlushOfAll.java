package io.tagfabric.endpoint;

import io.tagfabric.complete.Completion;
import io.tagfabric.error.FabricError;

/** A flush of all peers: ends when that of each has, with the first failure if there is one. */
final class FlushOfAll implements AccessListener {
  private final MemoryOperation whole;
  private final AccessCompletions ends;
  private int left = 1;
  private FabricError error;
  private String detail;

  FlushOfAll(MemoryOperation whole, AccessCompletions ends) {
    this.whole = whole;
    this.ends = ends;
  }

  /** That of one peer. */
  MemoryOperation of(int peer) {
    left++;
    MemoryOperation flush = new MemoryOperation(peer);
    flush.hears(null, this);
    flush.internal();
    return flush;
  }

  /** There are no more. */
  void all() {
    ended();
  }

  @Override
  public void onAccessed(Completion.Accessed accessed) {
    ended();
  }

  @Override
  public void onFailed(Completion.Failed failure) {
    if (error == null) {
      error = failure.error();
      detail = failure.detail();
    }
    ended();
  }

  private void ended() {
    left--;
    if (left > 0) {
      return;
    }
    if (error == null) {
      ends.complete(whole);
    } else {
      ends.fail(whole, error, detail);
    }
  }
}
