package io.tagfabric.provider.tcp.record;

import io.tagfabric.wire.Packet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The chunks of a node, in three sizes. One that comes back is kept for the next that is needed, up
 * to a number. Thread: the domain's loop.
 */
public final class Chunks {
  /** For short records, many in one. */
  static final int SMALL_BYTES = 16 * 1024;

  /** For what lies long on a connection that is idle. */
  private static final int TINY_BYTES = 512;

  private static final int KEPT_SMALL = 16;
  private static final int KEPT_LARGE = 64;

  private final int largeBytes;
  private final ArrayDeque<Chunk> tiny = new ArrayDeque<>();
  private final ArrayDeque<Chunk> small = new ArrayDeque<>();
  private final ArrayDeque<Chunk> large = new ArrayDeque<>();

  /** Those whose packets are being written. */
  private final List<Chunk> lent = new ArrayList<>();

  /**
   * No chunks yet.
   *
   * @param longestBodyBytes of a record
   */
  public Chunks(int longestBodyBytes) {
    largeBytes = Records.length(longestBodyBytes);
  }

  /** A chunk with room for a record of so many bytes. */
  Chunk take(int recordBytes) {
    if (recordBytes > SMALL_BYTES) {
      return largeOne();
    }
    Chunk kept = small.pollLast();
    return kept == null ? new Chunk(SMALL_BYTES, null) : kept;
  }

  /** A chunk with room for some of the shortest records. */
  Chunk takeTiny() {
    Chunk kept = tiny.pollLast();
    return kept == null ? new Chunk(TINY_BYTES, null) : kept;
  }

  /** A chunk whose packet is empty, for a record of the longest kind. */
  public Chunk takeLarge() {
    Chunk chunk = largeOne();
    chunk.packet().renew();
    lent.add(chunk);
    return chunk;
  }

  /** The chunk that an unsealed packet lies in, which is not lent any more; null if in none. */
  Chunk lent(Packet packet) {
    if (packet.array() == null) {
      for (int i = lent.size() - 1; i >= 0; i--) {
        if (lent.get(i).packet() == packet) {
          return lent.remove(i);
        }
      }
    }
    return null;
  }

  private Chunk largeOne() {
    Chunk kept = large.pollLast();
    return kept == null ? new Chunk(largeBytes, this::onReleased) : kept;
  }

  /** Nobody holds its packet, and no stream has it. */
  private void onReleased(Chunk chunk) {
    lent.remove(chunk);
    keep(chunk);
  }

  /** Its bytes have come to the peer, or nobody will ever read them. */
  void giveBack(Chunk chunk) {
    chunk.unqueue();
    if (chunk.isLent()) {
      return;
    }
    if (chunk.packet() == null || chunk.packet().holders() == 0) {
      keep(chunk);
    }
  }

  private void keep(Chunk chunk) {
    if (chunk.capacity() == largeBytes) {
      if (large.size() < KEPT_LARGE) {
        large.addLast(chunk);
      }
    } else if (chunk.capacity() == TINY_BYTES) {
      if (tiny.size() < KEPT_SMALL) {
        tiny.addLast(chunk);
      }
    } else if (chunk.capacity() == SMALL_BYTES && small.size() < KEPT_SMALL) {
      small.addLast(chunk);
    }
  }
}
