package io.tagfabric.flow.window;

import io.tagfabric.annotation.InternalApi;
import java.util.ArrayDeque;

/**
 * What active messages of all flows of one endpoint share: their limits, and how many requests of
 * this side are under way. Single threaded: the domain's loop.
 */
@InternalApi
public final class ActiveShare {
  private final ActiveSettings settings;
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private int underWay;

  public ActiveShare(ActiveSettings settings) {
    this.settings = settings;
  }

  public ActiveSettings settings() {
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
  public boolean isScarce() {
    return isBounded() && 2 * underWay >= settings.creditsTotal();
  }

  /**
   * Whether a flow may send one more request: those that have waited for longer go first.
   *
   * @param onRoom what the flow waits in the line with
   */
  public boolean hasRoom(Runnable onRoom) {
    return !isBounded() || free() > waiting.size() || isAmongFirst(onRoom);
  }

  private int free() {
    return settings.creditsTotal() - underWay;
  }

  private boolean isAmongFirst(Runnable onRoom) {
    int free = free();
    for (Runnable first : waiting) {
      if (free-- <= 0) {
        return false;
      }
      if (first == onRoom) {
        return true;
      }
    }
    return false;
  }

  public void take() {
    underWay++;
  }

  /** Credits have come back. */
  public void giveBack(int requests) {
    underWay -= requests;
    tellFirst();
  }

  /**
   * A flow would send a request if there were room here: it stays in the line until it has.
   *
   * @param onRoom runs when there is room again
   */
  public void await(Runnable onRoom) {
    waiting.addLast(onRoom);
  }

  /** A flow has what it waited for, or wants it no more. */
  public void leave(Runnable onRoom) {
    waiting.remove(onRoom);
    tellFirst();
  }

  private void tellFirst() {
    int free = free();
    for (Runnable first : waiting) {
      if (free-- <= 0) {
        return;
      }
      first.run();
    }
  }
}
