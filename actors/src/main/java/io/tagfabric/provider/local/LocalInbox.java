package io.tagfabric.provider.local;

import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.provider.WireListener;
import io.tagfabric.wire.InjectRecord;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * What has come for an endpoint: packets in a queue, short messages in a ring. What comes while the
 * endpoint is busy is one delivery of its loop.
 *
 * <p>Order: a message goes into the ring only while no packet waits, so it overtakes none; and
 * before a packet is handled the ring is read as far as it was written when the packet was seen, so
 * no packet overtakes a message that its sender wrote before.
 */
final class LocalInbox implements Runnable {
  private static final int RING_BYTES = 8 * 1024;

  /** Copying longer ones costs more than a packet around them. */
  private static final int MAX_MESSAGE_BYTES = 512;

  private static final int RECORD_TYPE = 1;
  private static final int PACKETS_PER_RUN = 16;

  private final ProgressLoop loop;
  private final WireListener listener;

  /** Packets, and what is to be run when those before it have been handled. */
  private final ManyToOneConcurrentLinkedQueue<Object> packets =
      new ManyToOneConcurrentLinkedQueue<>();

  /** Those of senders on the same loop; for them no queue between threads is needed. */
  private final ArrayDeque<Object> ownPackets = new ArrayDeque<>();

  private final MessageView injected = new MessageView();
  private final MessageHandler recordHandler = this::onRecord;
  private final AtomicBoolean scheduled = new AtomicBoolean();

  /** Null until a sender has connected. */
  private volatile ManyToOneRingBuffer ring;

  private volatile boolean closed;

  /** Whether each access to memory is to be asked for. */
  private volatile boolean asks;

  /** The senders that hear when nothing is read here any more. */
  private final Set<Runnable> senders = new CopyOnWriteArraySet<>();

  LocalInbox(ProgressLoop loop, WireListener listener) {
    this.loop = loop;
    this.listener = listener;
  }

  /**
   * Refuses everything from now on and tells all who send here: what they have written and nobody
   * has read is dropped. Thread: the receiver's loop.
   */
  void close() {
    closed = true;
    senders.forEach(Runnable::run);
    senders.clear();
  }

  boolean isClosed() {
    return closed;
  }

  /** Senders ask for each access to memory from now on. */
  void askForAccesses() {
    asks = true;
  }

  boolean asksForAccesses() {
    return asks;
  }

  /**
   * A sender will come. Thread: any.
   *
   * @param closing is run when this inbox closes, by any thread
   */
  void connected(Runnable closing) {
    connected();
    senders.add(closing);
    if (closed) {
      closing.run();
    }
  }

  /** A sender will not come any more. Thread: any. */
  void disconnected(Runnable closing) {
    senders.remove(closing);
  }

  /** A sender will come. Thread: any. */
  synchronized void connected() {
    if (ring == null) {
      ring =
          new ManyToOneRingBuffer(
              new UnsafeBuffer(
                  BufferUtil.allocateDirectAligned(
                      RING_BYTES + RingBufferDescriptor.TRAILER_LENGTH,
                      BitUtil.CACHE_LINE_LENGTH)));
    }
  }

  /** Whether a sender's loop is the receiver's. */
  boolean isOf(ProgressLoop sendersLoop) {
    return sendersLoop == loop;
  }

  /**
   * Thread: the sender's loop.
   *
   * @param isOwn whether that is the receiver's, in all that a sender sends
   */
  void offer(Packet packet, boolean isOwn) {
    add(packet, isOwn);
  }

  /**
   * Runs something on the receiver's loop when all that this thread has offered before is handled.
   * Thread and arguments: as of {@link #offer}.
   */
  void afterwards(Runnable notice, boolean isOwn) {
    add(notice, isOwn);
  }

  private void add(Object arrival, boolean isOwn) {
    if (isOwn) {
      ownPackets.add(arrival);
    } else {
      packets.offer(arrival);
    }
    schedule();
  }

  /**
   * Takes a short message if the receiver has nothing else to look at: what follows while it has
   * gains nothing by travelling alone, and costs less when it is gathered. False if the message
   * must come in a packet. Thread: the sender's loop.
   *
   * @param isOwn as of {@link #offer}
   */
  boolean inject(long flow, MessageView message, boolean isOwn) {
    boolean packetsWait = isOwn ? !ownPackets.isEmpty() : !packets.isEmpty();
    if (message.length() > MAX_MESSAGE_BYTES || scheduled.get() || packetsWait) {
      return false;
    }
    ManyToOneRingBuffer records = ring;
    int index = records.tryClaim(RECORD_TYPE, InjectRecord.length(message));
    if (index < 0) {
      return false;
    }
    InjectRecord.write(records.buffer(), index, flow, message);
    records.commit(index);
    schedule();
    return true;
  }

  private void schedule() {
    // a run that begins after the question must see what was written before it
    VarHandle.fullFence();
    if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
      loop.deliver(this);
    }
  }

  /** Thread: the receiver's loop. */
  @Override
  public void run() {
    // first, so that a sender that writes from now on schedules the next run
    scheduled.set(false);
    for (int i = 0; i < PACKETS_PER_RUN; i++) {
      Queue<Object> from = ownPackets.isEmpty() ? packets : ownPackets;
      Object arrival = from.peek();
      if (!hasReadRing() || arrival == null) {
        return;
      }
      try {
        take(arrival);
      } finally {
        from.poll(); // only now, so that no message overtakes it
      }
    }
    schedule();
  }

  /**
   * Reads the ring as far as it is written now, which is bounded by its length.
   *
   * @return false if a sender has claimed a record and not written it yet; it schedules when it has
   */
  private boolean hasReadRing() {
    ManyToOneRingBuffer records = ring;
    if (records == null) {
      return true;
    }
    long end = records.producerPosition();
    long at = records.consumerPosition();
    while (at < end) {
      records.read(recordHandler);
      long next = records.consumerPosition();
      if (next == at) {
        return false;
      }
      at = next;
    }
    return true;
  }

  private void onRecord(int type, MutableDirectBuffer memory, int index, int length) {
    if (!closed && InjectRecord.read(memory, index, length, injected)) {
      listener.onInjected(InjectRecord.flow(memory, index), injected);
    }
  }

  private void take(Object arrival) {
    if (arrival instanceof Runnable notice) {
      notice.run();
      return;
    }
    Packet packet = (Packet) arrival;
    if (closed) {
      packet.release();
    } else {
      listener.onPacket(packet);
    }
  }
}
