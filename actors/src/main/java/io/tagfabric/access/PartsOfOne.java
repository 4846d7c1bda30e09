package io.tagfabric.access;

import io.tagfabric.complete.Completion;
import io.tagfabric.error.FabricError;

/**
 * The parts of an access that is done as several: it ends when all of them have, with the first
 * failure if there is one.
 */
final class PartsOfOne implements AccessListener {
  private final MemoryOperation whole;
  private final AccessCompletions ends;
  private int left = 1;
  private FabricError error;
  private String detail;

  PartsOfOne(MemoryOperation whole, AccessCompletions ends) {
    this.whole = whole;
    this.ends = ends;
  }

  /** One more, which must be submitted. */
  void add(MemoryOperation part) {
    left++;
    part.telling(null, this);
    part.internal();
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
