package io.tagfabric.flow;

import io.tagfabric.annotation.InternalApi;
import java.util.ArrayDeque;

/**
 * What active messages of all flows of one endpoint share: their limits, and how many requests of
 * this side are under way. Single threaded: the domain's loop.
 */
@InternalApi
public final class ActiveShare {
  private final ActiveSettings settings;
  private final ArrayDeque<ActiveQueue> waiting = new ArrayDeque<>();
  private int underWay;

  public ActiveShare(ActiveSettings settings) {
    this.settings = settings;
  }

  ActiveSettings settings() {
    return settings;
  }

  /** Requests of this side whose credit has not come back. */
  public int underWay() {
    return underWay;
  }

  private boolean isBounded() {
    return settings.creditsTotal() > 0;
  }

  /** Whether half of what there may be is under way. */
  boolean isScarce() {
    return isBounded() && 2 * underWay >= settings.creditsTotal();
  }

  /** Whether a flow may send one more request: those that have waited for longer go first. */
  boolean hasRoom(ActiveQueue queue) {
    return !isBounded() || free() > waiting.size() || isAmongFirst(queue);
  }

  private int free() {
    return settings.creditsTotal() - underWay;
  }

  private boolean isAmongFirst(ActiveQueue queue) {
    int free = free();
    for (ActiveQueue first : waiting) {
      if (free-- <= 0) {
        return false;
      }
      if (first == queue) {
        return true;
      }
    }
    return false;
  }

  void take() {
    underWay++;
  }

  /** Credits have come back. */
  void giveBack(int requests) {
    underWay -= requests;
    tellFirst();
  }

  /** A flow would send a request if there were room here: it stays in the line until it has. */
  void await(ActiveQueue queue) {
    waiting.addLast(queue);
  }

  /** A flow has what it waited for, or wants it no more. */
  void leave(ActiveQueue queue) {
    waiting.remove(queue);
    tellFirst();
  }

  private void tellFirst() {
    int free = free();
    for (ActiveQueue first : waiting) {
      if (free-- <= 0) {
        return;
      }
      first.hasRoomAgain();
    }
  }
}
