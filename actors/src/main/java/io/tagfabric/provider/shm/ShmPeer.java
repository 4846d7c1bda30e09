package io.tagfabric.provider.shm;

import io.tagfabric.error.FabricError;
import io.tagfabric.provider.shm.ring.RecordWriter;
import io.tagfabric.provider.shm.ring.ShmEntry;
import io.tagfabric.provider.shm.ring.ShmLayout;
import io.tagfabric.provider.shm.ring.ShmSenders;
import io.tagfabric.wire.InjectRecord;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;

/**
 * A domain of this host as another one sees it: the way to its reader and the slots it lends.
 *
 * <p>Before a peer writes it takes a sender's entry there, and with it a lane or a place among
 * those that share the ring. Thread: the domain's loop.
 */
final class ShmPeer implements ShmSenders.Owner, AutoCloseable {
  private final ShmFile file;
  private final UnsafeBuffer buffer;
  private final ShmLayout layout;
  private final ManyToOneRingBuffer ring;
  private final long token;
  private final ShmSharedMemory memory;
  private final boolean place;
  private final int longestBytes;
  private final Runnable rung;
  private ShmDirectMemory direct;
  private final ByteBuffer stroke = ByteBuffer.allocateDirect(1);
  private SocketChannel bell;
  private ShmEntry entry;
  private RecordWriter writer;
  private String gone;
  private FabricError goneWith = FabricError.SHUTDOWN;
  private FabricError brokenWith = FabricError.IO;

  /** Its process has ended without closing it. */
  private boolean hasDied;

  private boolean isCut;

  /** The last message has been written, whatever came afterwards. */
  private boolean written;

  /** Why there is nothing to be had from its memory any more, null while there is. */
  private String broken;

  private ShmPeer(ShmFile file, ShmSettings settings, Runnable rung) throws IOException {
    this.file = file;
    this.rung = rung;
    buffer = file.buffer();
    place = settings.place();
    longestBytes = settings.longestRecordBytes();
    memory =
        settings.place()
            ? new ShmSharedMemory(file.path().getParent(), settings.placeBytes())
            : null;
    if (buffer.capacity() < ShmLayout.RING_AT
        || buffer.getLongVolatile(ShmLayout.MAGIC_AT) != ShmLayout.MAGIC) {
      throw new IOException(file.path() + " is not the file of a domain of this version");
    }
    token = buffer.getLong(ShmLayout.TOKEN_AT);
    try {
      layout = ShmLayout.of(buffer);
    } catch (IllegalArgumentException e) {
      throw new IOException(file.path() + " is not the file of a domain", e);
    }
    if (layout.fileBytes > buffer.capacity()) {
      throw new IOException(file.path() + " is shorter than it says");
    }
    ring =
        new ManyToOneRingBuffer(
            new UnsafeBuffer(buffer, ShmLayout.RING_AT, layout.ringTotalBytes()));
  }

  /**
   * Maps the file of a domain.
   *
   * @param rung runs when a thread that sleeps there has been woken
   */
  static ShmPeer open(Path path, ShmSettings settings, Runnable rung) throws IOException {
    ShmFile file = ShmFile.open(path);
    boolean complete = false;
    try {
      ShmPeer peer = new ShmPeer(file, settings, rung);
      complete = true;
      return peer;
    } catch (RuntimeException | InternalError e) {
      throw new IOException(path + " is not the file of a domain", e);
    } finally {
      if (!complete) {
        file.close();
      }
    }
  }

  Path path() {
    return file.path();
  }

  long token() {
    return token;
  }

  /** Why this domain reads no more, null while it does. Then the memory is not mapped either. */
  String gone() {
    return gone;
  }

  /** Why this domain is about to be gone, null if it is not. Costs a system call. */
  String findLeaving() {
    if (broken != null) {
      return broken;
    }
    try {
      if (file.restore()) {
        cut();
        return broken;
      }
      int closed = buffer.getIntVolatile(ShmLayout.CLOSED_AT);
      if (closed == ShmLayout.BROKEN) {
        broken(memoryOfPeer() + "is broken", FabricError.IO);
        return broken;
      }
      if (closed != 0) {
        return "the peer's domain is closed";
      }
      if (entry != null && entry.isCutOff()) {
        broken(
            memoryOfPeer()
                + "takes no more from here, what it read was broken or this domain's file was cut",
            FabricError.IO);
        return broken;
      }
    } catch (IOException gone) {
      cut();
      return broken;
    } catch (InternalError putOff) {
      // What the JVM tells so late may be of other memory.
      return isCutIndeed() ? broken : null;
    }
    if (file.isOwnerAlive()) {
      return null;
    }
    hasDied = true;
    return "the peer's process has ended";
  }

  private boolean isCutIndeed() {
    boolean cut = true;
    try {
      cut = file.restore();
    } catch (IOException | InternalError again) {
      // as good as cut
    }
    if (cut) {
      cut();
    }
    return cut;
  }

  /** Whether there is nothing to be had from its memory any more. */
  boolean isBroken() {
    return broken != null;
  }

  private String memoryOfPeer() {
    return "the shared memory of the peer's domain, " + file.path() + ", ";
  }

  /** Its memory cannot be touched any more. */
  void cut() {
    isCut = true;
    broken(memoryOfPeer() + "is cut short", FabricError.IO);
  }

  /** Whether it may still write here: it lives and need not know yet that its file was cut. */
  boolean mayWriteOn() {
    return isCut && isOwnerAlive();
  }

  /** Nothing more is read there or written. */
  void broken(String reason, FabricError error) {
    if (broken == null) {
      broken = reason;
      brokenWith = error;
    }
  }

  /** What flows to a domain end with that is gone. */
  FabricError goneWith() {
    return goneWith;
  }

  @Override
  public boolean isOwnerAlive() {
    return gone == null && file.isOwnerAlive();
  }

  boolean isClosed() {
    return buffer.getInt(ShmLayout.CLOSED_AT) != 0;
  }

  /**
   * Takes a sender's entry, if there is none yet.
   *
   * @param own this domain's file, by which the peer finds it
   * @return false if all entries are taken
   */
  boolean register(Path own) {
    if (entry == null) {
      entry =
          ShmEntry.take(
              buffer,
              layout,
              ring,
              lane -> new UnsafeBuffer(buffer, layout.laneAt(lane), layout.laneMemoryBytes()),
              own.toString().getBytes(StandardCharsets.UTF_8),
              longestBytes);
      writer = entry == null ? null : entry.writer();
    }
    return entry != null;
  }

  /** Number of this side's entry at the peer. */
  int sender() {
    return entry == null ? -1 : entry.number();
  }

  /** Writes a packet; false if there is no room for it now. */
  boolean offer(int type, DirectBuffer packet, int length) {
    int index = claim(type, length);
    if (index < 0) {
      return false;
    }
    boolean complete = false;
    try {
      writer.buffer().putBytes(index, packet, 0, length);
      complete = true;
    } finally {
      end(index, complete);
    }
    return true;
  }

  /** Writes a short message; false if there is no room for it now. */
  boolean inject(int type, long flow, MessageView message) {
    int index = claim(type, InjectRecord.length(message));
    if (index < 0) {
      return false;
    }
    boolean complete = false;
    try {
      InjectRecord.write(writer.buffer(), index, flow, message);
      complete = true;
    } finally {
      end(index, complete);
    }
    return true;
  }

  /** Writes the frames of a packet without its header; false if there is no room for them now. */
  boolean offerFrames(int type, long flow, Packet packet) {
    int length = packet.length() - Packet.HEADER_LENGTH;
    int index = claim(type, Long.BYTES + length);
    if (index < 0) {
      return false;
    }
    boolean complete = false;
    try {
      writer.buffer().putLong(index, flow);
      writer.buffer().putBytes(index + Long.BYTES, packet.buffer(), Packet.HEADER_LENGTH, length);
      complete = true;
    } finally {
      end(index, complete);
    }
    return true;
  }

  /** Makes the next message quicker and rings after all, if it may be written to. */
  void prepare() {
    if (isReady()) {
      VarHandle.fullFence();
      ringIfAsleep();
      writer.prepare();
    }
  }

  /**
   * Wakes a sleeper that the last record may have missed: it had not been visible yet when the word
   * was read, nor when the sleeper looked. Without this it would look again a millisecond later.
   */
  void ringAfterAll() {
    if (isReady()) {
      VarHandle.fullFence();
      ringIfAsleep();
    }
  }

  private boolean isReady() {
    return gone == null && broken == null && !isClosed();
  }

  private int claim(int type, int length) {
    written = false;
    return writer.claim(type, length);
  }

  /** Whether the last message that was to be written is, although that ended in an error. */
  boolean hasWritten() {
    return written;
  }

  /** A claim that nobody ends stops its reader, in the ring for all senders. */
  private void end(int index, boolean complete) {
    if (complete) {
      writer.commit(index);
      written = true;
    } else {
      writer.abort(index);
    }
    // For the compilers. A full fence would wait until the record is visible, each time.
    VarHandle.releaseFence();
    ringIfAsleep();
  }

  private void ringIfAsleep() {
    if (buffer.getInt(ShmLayout.ASLEEP_AT) != 0) {
      // Not by a compare-and-set: where the file was cut, one that is not compiled ends the JVM.
      // Two
      // may ring now, and whoever clears the word rings.
      buffer.putIntVolatile(ShmLayout.ASLEEP_AT, 0);
      ringBell();
    }
  }

  private void ringBell() {
    try {
      if (bell == null) {
        bell = SocketChannel.open(StandardProtocolFamily.UNIX);
        bell.configureBlocking(false);
        bell.connect(UnixDomainSocketAddress.of(ShmDirectory.bellOf(file.path())));
      }
      stroke.clear();
      // A full socket has strokes enough.
      bell.write(stroke);
      rung.run();
    } catch (IOException | RuntimeException unheard) {
      // The sleeper looks by itself after its longest sleep, and a dead one is found by its lock.
      closeBell();
    }
  }

  private void closeBell() {
    if (bell != null) {
      try {
        bell.close();
      } catch (IOException alreadyBroken) {
        stroke.clear();
      }
      bell = null;
    }
  }

  /** The fabric memory of the peer's JVM; null if nothing is placed there or taken from there. */
  ShmSharedMemory sharedMemory() {
    return memory;
  }

  /** The regions of the peer's JVM that this domain accesses itself; null if it asks for each. */
  ShmDirectMemory directMemory(Path own, long ownToken) {
    if (direct == null && place && gone == null && !own.equals(path())) {
      direct = new ShmDirectMemory(path().getParent(), own, ownToken);
    }
    return direct;
  }

  /** Whether its loop is to be asked for each access. */
  boolean asksForAccesses() {
    return gone != null || buffer.getIntVolatile(ShmLayout.ASKS_AT) != 0;
  }

  /** Length of a slot there. */
  int slotBytes() {
    return layout.slotBytes;
  }

  boolean hasSlot(int slot, int length) {
    return slot >= 0 && slot < layout.slots && length >= 0 && length <= layout.slotBytes;
  }

  UnsafeBuffer memory() {
    return buffer;
  }

  int slotAt(int slot) {
    return layout.slotAt(slot);
  }

  /** Gives a slot back to its sender. */
  void freeSlot(int slot) {
    buffer.putIntOrdered(layout.stateAt(slot), ShmLayout.SLOT_FREE);
  }

  /** From now on nothing is read there and nothing written. */
  void leave(String reason) {
    if (gone == null) {
      gone = reason;
      if (broken != null) {
        goneWith = brokenWith;
      } else if (hasDied) {
        goneWith = FabricError.CONNECTION_RESET;
      }
      closeBell();
      if (direct != null) {
        direct.close();
      }
      file.close();
    }
  }

  /** Unmaps the file; the peer frees the sender's entry when all is read. */
  @Override
  public void close() {
    if (gone == null) {
      if (broken == null) {
        findLeaving();
      }
      leave("this endpoint is closed");
    }
  }
}
