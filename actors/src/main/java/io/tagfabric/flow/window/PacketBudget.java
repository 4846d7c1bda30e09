package io.tagfabric.flow.window;

import io.tagfabric.annotation.InternalApi;
import java.util.ArrayDeque;

/**
 * Packets that all flows of one endpoint may have under way together, over channels that may lose
 * packets. A flow that has none under way may always send one, so nobody starves; then there may be
 * one more for each flow. Single threaded: the domain's loop.
 */
@InternalApi
public final class PacketBudget {
  private final int limit;
  private final ArrayDeque<SendWindow> waiting = new ArrayDeque<>();
  private int underWay;

  /**
   * A budget.
   *
   * @param limit packets; 0 for as many as the windows of the flows allow
   */
  public PacketBudget(int limit) {
    this.limit = limit;
  }

  /** Whether a flow that has packets under way may send another one. */
  boolean hasRoom() {
    return limit == 0 || underWay < limit;
  }

  /** Whether so much is used that word of what has come is worth a packet. */
  boolean isShort() {
    return limit != 0 && underWay >= limit - limit / 2;
  }

  public int underWay() {
    return underWay;
  }

  void take() {
    underWay++;
  }

  /** Packets have come, or are given up; those that wait hear of it, in their order. */
  void giveBack(int packets) {
    underWay -= packets;
    for (int room = limit - underWay; room > 0 && !waiting.isEmpty(); room--) {
      waiting.pollFirst().hasRoomAgain();
    }
  }

  /** A window would have let a packet go if there were room here. */
  void await(SendWindow window) {
    waiting.addLast(window);
  }
}
