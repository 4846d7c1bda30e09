package io.tagfabric.bench.measure;

import java.util.Map;
import java.util.function.Consumer;

/** The end that plays its part in every run that the other one begins. Thread: one. */
public final class FarSide {
  private final End end;
  private final Map<Integer, End> movers;
  private final Consumer<Order> others;
  private final Allocation allocation = new Allocation();

  /** For runs of these ends only. */
  public FarSide(End end) {
    this(
        end,
        Map.of(),
        order -> {
          throw new IllegalArgumentException("mover=" + order.mover() + " is unknown here");
        });
  }

  /**
   * @param movers other ends that move messages, by their numbers
   * @param others makes ready for an order whose messages somebody else moves
   */
  public FarSide(End end, Map<Integer, End> movers, Consumer<Order> others) {
    this.end = end;
    this.movers = Map.copyOf(movers);
    this.others = others;
  }

  /** Returns when the near end has no more runs. */
  public void serve() {
    while (true) {
      end.begin(Order.ANSWER_BYTES, Order.BYTES);
      end.postReceive();
      end.await(1);
      Order order = Order.read(end.incoming());
      End moving = order.mover() == Order.SELF ? end : movers.get(order.mover());
      if (moving == null) {
        others.accept(order);
      }
      if (order.work() == Order.Work.TELL_ALLOCATED) {
        end.outgoing().putLong(0, allocation.sinceLastCall());
      }
      end.send();
      if (order.work() == Order.Work.END) {
        return;
      }
      if (moving != null) {
        play(order, moving);
      }
    }
  }

  private void play(Order order, End moving) {
    switch (order.work()) {
      case PONG -> Exchange.pong(moving, order.bytes(), order.count());
      case DRAIN -> Exchange.drain(moving, order.bytes(), order.count(), order.window());
      case ANSWER_ASLEEP -> Exchange.answerAsleep(moving, order.bytes(), order.count());
      case BOTH_WAYS -> Exchange.bothWaysFar(moving, order.bytes(), order.count(), order.window());
      case MATCH_POSTED -> MatchExchange.receivePosted((TaggedEnd) end, order.count());
      case MATCH_UNEXPECTED -> MatchExchange.receiveUnexpected((TaggedEnd) end, order.count());
      case MATCH_PROBED -> MatchExchange.receiveProbed((ProbingEnd) end, order.count());
      case TELL_ALLOCATED, END -> {
        // the answer was all
      }
    }
  }
}
