package io.tagfabric.provider.local;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import io.tagfabric.provider.WireListener;
import io.tagfabric.wire.FrameBatch;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;

/**
 * One endpoint's place in the JVM-wide exchange. A channel holds the peer's inbox itself; a packet
 * is one entry of its queue, and packets that come while the peer is busy are one task of its loop.
 */
final class LocalWire implements Wire {
  private record Identity(long incarnation, int endpoint) {}

  private static final int PACKETS_PER_RUN = 64;

  /** Packets for an endpoint; closed is set before it leaves the exchange. */
  private static final class Inbox implements Runnable {
    private final ProgressLoop loop;
    private final WireListener listener;
    private final ManyToOneConcurrentLinkedQueue<FrameBatch> packets =
        new ManyToOneConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private volatile boolean closed;

    Inbox(ProgressLoop loop, WireListener listener) {
      this.loop = loop;
      this.listener = listener;
    }

    /** Thread: the sender's loop. */
    void offer(FrameBatch packet) {
      packets.offer(packet);
      schedule();
    }

    private void schedule() {
      if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
        loop.execute(this);
      }
    }

    /** Thread: the receiver's loop. */
    @Override
    public void run() {
      // first, so that whoever offers from now on schedules the next run
      scheduled.set(false);
      for (int i = 0; i < PACKETS_PER_RUN; i++) {
        FrameBatch packet = packets.poll();
        if (packet == null) {
          return;
        }
        if (closed) {
          packet.release();
        } else {
          listener.onPacket(packet);
        }
      }
      schedule();
    }
  }

  private static final ConcurrentMap<Identity, Inbox> EXCHANGE = new ConcurrentHashMap<>();

  private final String vm;
  private final Identity identity;
  private final Inbox inbox;

  LocalWire(WireContext context) {
    vm = context.vm();
    identity = new Identity(context.incarnation(), context.endpoint());
    inbox = new Inbox(context.loop(), context.listener());
    if (EXCHANGE.putIfAbsent(identity, inbox) != null) {
      throw new IllegalStateException(
          "endpoint="
              + context.endpoint()
              + " of incarnation="
              + context.incarnation()
              + " is open already");
    }
  }

  @Override
  public String address() {
    return "";
  }

  @Override
  public Optional<String> unreachableBecause(EndpointAddress peer) {
    return peer.vm().equals(vm)
        ? Optional.empty()
        : Optional.of("vm=" + peer.vm() + " is not this JVM, vm=" + vm);
  }

  @Override
  public Channel connect(EndpointAddress peer) {
    return new LocalChannel(EXCHANGE.get(new Identity(peer.incarnation(), peer.endpoint())));
  }

  @Override
  public void close() {
    inbox.closed = true;
    EXCHANGE.remove(identity, inbox);
  }

  private record LocalChannel(Inbox peer) implements Channel {
    @Override
    public boolean offer(FrameBatch packet) {
      if (closedBecause() == null) {
        packet.retain();
        peer.offer(packet);
      }
      return true;
    }

    @Override
    public String closedBecause() {
      return peer == null || peer.closed ? "the peer's endpoint is closed" : null;
    }
  }
}
