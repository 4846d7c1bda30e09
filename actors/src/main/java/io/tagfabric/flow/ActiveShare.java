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

  boolean hasRoom() {
    return settings.creditsTotal() == 0 || underWay < settings.creditsTotal();
  }

  void take() {
    underWay++;
  }

  /** Credits have come back; those that wait hear of it, in their order, and may wait again. */
  void giveBack(int requests) {
    underWay -= requests;
    while (requests > 0 && !waiting.isEmpty() && hasRoom()) {
      waiting.pollFirst().hasRoomAgain();
    }
  }

  /** A flow would have sent a request if there were room here. */
  void await(ActiveQueue queue) {
    waiting.addLast(queue);
  }
}
