package io.tagfabric.wire;

import io.tagfabric.wire.sbe.MessageHeaderEncoder;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What travels between two endpoints: a header and the frames of one pass for one peer. Frames are
 * appended by the sending loop; from the first offer to a channel on the bytes never change.
 *
 * <p>Counted references: the flow holds one until the packet is acknowledged, each transport one
 * while the packet is on its way, a receiver one while it reads. At zero the packet returns to its
 * pool. One that a transport drops without a word is left to the garbage collector and harms
 * nobody.
 */
public final class Packet {
  /** Bytes before the first frame. */
  public static final int HEADER_LENGTH = PacketLayout.PACKET_HEADER_LENGTH;

  private final UnsafeBuffer buffer;
  private final Consumer<Packet> owner;
  private final boolean owned;
  private final PayloadCopy copy;
  private final AtomicInteger references = new AtomicInteger(1);
  private int length;
  private int frameCount;
  private long sequence;
  private boolean bulk;

  Packet(int capacity, Consumer<Packet> owner) {
    this(new UnsafeBuffer(new byte[capacity]), PayloadCopy.PLAIN, owner);
  }

  private Packet(UnsafeBuffer buffer, PayloadCopy copy, Consumer<Packet> owner) {
    this.buffer = buffer;
    this.copy = copy;
    this.owner = owner;
    this.owned = true;
    this.length = HEADER_LENGTH;
  }

  private Packet(byte[] received) {
    this.buffer = new UnsafeBuffer(received);
    this.copy = PayloadCopy.PLAIN;
    this.owner = null;
    this.owned = true;
    this.length = received.length;
  }

  /** A packet that was received, over its own array, which must not be used by anybody else. */
  public static Packet received(byte[] packet) {
    return new Packet(packet);
  }

  private Packet() {
    this.buffer = new UnsafeBuffer(0, 0);
    this.copy = PayloadCopy.PLAIN;
    this.owner = null;
    this.owned = false;
  }

  /**
   * A packet without memory of its own, for a transport that shows packets where they lie; see
   * {@link #show}. It cannot be retained.
   */
  public static Packet view() {
    return new Packet();
  }

  /**
   * An empty packet in memory of a transport.
   *
   * @param owner takes it back when nobody holds it any more, on the thread of the last release; it
   *     makes it usable again by {@link #renew}
   */
  public static Packet lent(DirectBuffer memory, int offset, int capacity, Consumer<Packet> owner) {
    return lent(memory, offset, capacity, PayloadCopy.PLAIN, owner);
  }

  /**
   * An empty packet in memory that wants long payloads written in its own way.
   *
   * @param copy writes long payloads there
   * @param owner takes it back when nobody holds it any more, on the thread of the last release; it
   *     makes it usable again by {@link #renew}
   */
  public static Packet lent(
      DirectBuffer memory, int offset, int capacity, PayloadCopy copy, Consumer<Packet> owner) {
    return new Packet(new UnsafeBuffer(memory, offset, capacity), copy, owner);
  }

  /** Makes a view show a received packet. Its user before is done with it. */
  public void show(DirectBuffer memory, int offset, int packetLength) {
    buffer.wrap(memory, offset, packetLength);
    length = packetLength;
  }

  /** The bytes; valid from 0 to {@link #length()}. */
  public UnsafeBuffer buffer() {
    return buffer;
  }

  /** The backing array; packet bytes begin at index 0. Null for memory of a transport. */
  public byte[] array() {
    return buffer.byteArray();
  }

  /** Bytes of the packet, header included. */
  public int length() {
    return length;
  }

  /** Bytes that still fit. */
  public int remaining() {
    return buffer.capacity() - length;
  }

  /**
   * Makes the packet a received packet whose bytes have been written to {@link #buffer} from 0 on.
   */
  public void received(int packetLength) {
    length = packetLength;
  }

  /** Frames appended so far; 0 for a received packet. */
  public int frameCount() {
    return frameCount;
  }

  /** Sequence number given by the sending flow; 0 for an uncounted packet. */
  public long sequence() {
    return sequence;
  }

  public void sequence(long newSequence) {
    sequence = newSequence;
  }

  /** Whether the packet has a part of a long message. */
  public boolean isBulk() {
    return bulk;
  }

  void markBulk() {
    bulk = true;
  }

  /**
   * Makes a frame part of the packet that has been written at {@link #length()} without its length.
   *
   * @param frameLength its bytes, header and payload included, padding not
   */
  public void append(int frameLength) {
    buffer.putInt(
        length + MessageHeaderEncoder.frameLengthEncodingOffset(),
        frameLength,
        MessageHeaderEncoder.BYTE_ORDER);
    length += PacketLayout.aligned(frameLength);
    frameCount++;
  }

  /** Writes bytes of a payload, at a position of the packet. */
  public void put(int at, DirectBuffer payload, int offset, int payloadBytes) {
    copy.copy(payload, offset, buffer, at, payloadBytes);
  }

  void copyFrom(Packet other) {
    buffer.putBytes(HEADER_LENGTH, other.buffer, HEADER_LENGTH, other.length - HEADER_LENGTH);
    length = other.length;
    frameCount = other.frameCount;
    bulk = other.bulk;
  }

  /** Empties a packet that came back to its owner and holds it; until then nobody does. */
  public Packet renew() {
    length = HEADER_LENGTH;
    frameCount = 0;
    sequence = 0;
    bulk = false;
    references.setRelease(1);
    return this;
  }

  /**
   * Adds a holder. Thread: any.
   *
   * @throws IllegalStateException if this is a view
   */
  public void retain() {
    if (!owned) {
      throw new IllegalStateException("a view cannot be retained, copy the packet");
    }
    references.incrementAndGet();
  }

  /**
   * This packet for a new holder that keeps it beyond the call: itself, or a copy of a view.
   * Thread: the one the packet was given to.
   */
  public Packet keep() {
    if (owned) {
      retain();
      return this;
    }
    byte[] copy = new byte[length];
    buffer.getBytes(0, copy);
    Packet kept = received(copy);
    kept.sequence = sequence;
    return kept;
  }

  /**
   * Takes a holder away; the last one gives the packet back to its pool. Thread: any.
   *
   * @throws IllegalStateException if there is no holder left
   */
  public void release() {
    if (!owned) {
      return;
    }
    int left = references.decrementAndGet();
    if (left < 0) {
      throw new IllegalStateException("references=" + left + " < 0, released once too often");
    }
    if (left == 0 && owner != null) {
      owner.accept(this);
    }
  }

  /** Holders now; 0 for a packet that is back in its pool. For reports and tests. */
  public int holders() {
    return references.get();
  }

  int capacity() {
    return buffer.capacity();
  }
}
