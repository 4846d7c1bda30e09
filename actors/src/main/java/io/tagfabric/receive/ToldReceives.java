package io.tagfabric.receive;

import akka.actor.typed.ActorRef;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.Arrival;
import io.tagfabric.match.ReceivePort;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.wire.TaggedArrivals;
import java.util.function.IntConsumer;

/**
 * Reaches the receives of an endpoint by the mailbox of their actor; by calls while there is none.
 * Single threaded: the domain's loop.
 */
final class ToldReceives implements ReceivePort {
  private final ReceivePort called;
  private final TaggedArrivals told = Arrival.copying(this::onArrival);
  private ActorRef<TagMatcher.Command> matcher;

  /**
   * A way that sends messages as soon as there is an actor.
   *
   * @param called while there is none
   */
  ToldReceives(ReceivePort called) {
    this.called = called;
  }

  /** The actor is there, or not any more if it is null. */
  void tell(ActorRef<TagMatcher.Command> newMatcher) {
    matcher = newMatcher;
  }

  @Override
  public TaggedArrivals arrivals() {
    return told;
  }

  private void onArrival(Arrival arrival) {
    if (matcher == null) {
      arrival.tell(called.arrivals());
    } else {
      matcher.tell(new TagMatcher.Arrived(arrival));
    }
  }

  @Override
  public boolean isRead() {
    return matcher == null && called.isRead();
  }

  @Override
  public void peerLost(int peer, FabricError error, String detail, boolean forGood) {
    if (matcher == null) {
      called.peerLost(peer, error, detail, forGood);
    } else {
      matcher.tell(new TagMatcher.PeerLost(peer, error, detail, forGood));
    }
  }

  @Override
  public void flowLost(int peer, FabricError error, String detail) {
    if (matcher == null) {
      called.flowLost(peer, error, detail);
    } else {
      matcher.tell(new TagMatcher.FlowLost(peer, error, detail));
    }
  }

  @Override
  public void leave(Runnable whenLeft) {
    if (matcher == null) {
      called.leave(whenLeft);
    } else {
      matcher.tell(new TagMatcher.Leave(whenLeft));
    }
  }

  @Override
  public void closedBecause(String detail) {
    called.closedBecause(detail);
  }

  @Override
  public void fail(RuntimeException defect) {
    called.fail(defect);
  }

  @Override
  public void flush() {
    called.flush();
  }

  @Override
  public void close(IntConsumer whenClosed) {
    if (matcher == null) {
      called.close(whenClosed);
    } else {
      matcher.tell(new TagMatcher.Close(whenClosed));
    }
  }
}
