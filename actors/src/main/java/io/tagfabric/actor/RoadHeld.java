package io.tagfabric.actor;

import akka.actor.ActorRef;
import io.tagfabric.actor.twin.FabricRef;
import java.util.ArrayList;
import java.util.List;

/**
 * What goes by Akka's remoting, as soon as the fabric brings nothing any more: until then it is
 * held, so that it overtakes nothing. Guarded by the road's lock.
 */
final class RoadHeld {
  /** Akka's remoting. */
  interface Far {
    void tell(FabricRef twin, Object message, ActorRef sender);
  }

  private record Held(FabricRef twin, Object message, ActorRef sender) {}

  private final Object lock;
  private final RoadQueue queue;
  private final int most;
  private final Far far;
  private final RefReports reports;

  /** Null while nothing needs to be held. */
  private List<Held> held;

  /** How many of these come first: the endpoint had them, and has not sent them. */
  private int unsent;

  /** Whether this endpoint closes, and may still send what it has accepted. */
  private boolean closes;

  /** Whether the peer's endpoint closes, and may not have read all that was sent to it. */
  private boolean peerReads;

  /**
   * Nothing is held.
   *
   * @param queue what the fabric has not brought yet
   * @param most messages that are held; those beyond are dropped
   */
  RoadHeld(Object lock, RoadQueue queue, int most, Far far, RefReports reports) {
    this.lock = lock;
    this.queue = queue;
    this.most = most;
    this.far = far;
    this.reports = reports;
  }

  /** Tells it by Akka's remoting, behind what is held. */
  void tell(FabricRef twin, Object message, ActorRef sender) {
    synchronized (lock) {
      if (held == null) {
        far.tell(twin, message, sender);
      } else if (held.size() < most) {
        held.add(new Held(twin, message, sender));
      } else {
        reports.overflow(twin, message, sender, queue.text(0));
      }
    }
  }

  /** The same for what the endpoint has not sent and does not: it was told before what is held. */
  void tellUnsent(FabricRef twin, Object message, ActorRef sender) {
    synchronized (lock) {
      if (held == null) {
        far.tell(twin, message, sender);
      } else {
        held.add(unsent++, new Held(twin, message, sender));
      }
    }
  }

  /** From now on messages are held, until {@link #release} finds nothing before them. */
  void begin() {
    held = new ArrayList<>();
  }

  void closes(boolean isClosing) {
    closes = isClosing;
  }

  void peerReads(boolean isReading) {
    peerReads = isReading;
  }

  /** Lets go of what is held if the endpoint has nothing that was told before. */
  void release() {
    synchronized (lock) {
      if (held != null && !closes && !peerReads && queue.isEmpty()) {
        held.forEach(each -> far.tell(each.twin, each.message, each.sender));
        held = null;
      }
    }
  }
}
