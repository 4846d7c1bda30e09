package io.tagfabric.provider.shm;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Function;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;

/**
 * The writers of a domain's ring, and the repair of what a killed one leaves: a record that is
 * claimed and never committed stops the ring.
 *
 * <p>Claim: a record is given up only if nobody alive can still write it. A blocked record was
 * claimed before it was found blocked, by a sender whose count was odd then; a sender has one claim
 * at a time. So once every living sender has been seen with an even count, or another one than
 * then, the record is a dead one's.
 *
 * <p>Thread: the domain's loop.
 */
final class ShmSenders {
  private final UnsafeBuffer buffer;
  private final ManyToOneRingBuffer ring;
  private final long repairNs;
  private final Function<Path, ShmPeer> find;
  private final ShmPeer[] peers = new ShmPeer[ShmLayout.SENDERS];
  private final long[] orphanedAt = new long[ShmLayout.SENDERS];
  private final long[] claimsThen = new long[ShmLayout.SENDERS];
  private long blockedAt = -1;
  private long blockedSinceNs;

  /**
   * @param find maps the file of a sender; null if it is gone
   */
  ShmSenders(
      UnsafeBuffer buffer, ManyToOneRingBuffer ring, long repairNs, Function<Path, ShmPeer> find) {
    this.buffer = buffer;
    this.ring = ring;
    this.repairNs = repairNs;
    this.find = find;
  }

  /** The peer behind a sender's entry, null if there is none. */
  ShmPeer peer(int sender) {
    if (sender < 0 || sender >= ShmLayout.SENDERS) {
      return null;
    }
    ShmPeer peer = peers[sender];
    if (peer == null && state(sender) >= ShmLayout.SENDER_READY) {
      try {
        peer = find.apply(path(sender));
      } catch (InvalidPathException nobody) {
        return null;
      }
      peers[sender] = peer;
    }
    return peer;
  }

  private int state(int sender) {
    return buffer.getIntVolatile(ShmLayout.senderAt(sender));
  }

  private Path path(int sender) {
    int at = ShmLayout.senderAt(sender);
    int length = buffer.getInt(at + ShmLayout.SENDER_PATH_LENGTH);
    byte[] path = new byte[Math.max(0, Math.min(length, ShmLayout.MAX_PATH_BYTES))];
    buffer.getBytes(at + ShmLayout.SENDER_PATH, path);
    return Path.of(new String(path, StandardCharsets.UTF_8));
  }

  private long claims(int sender) {
    return buffer.getLongVolatile(ShmLayout.senderAt(sender) + ShmLayout.SENDER_CLAIMS);
  }

  /** A peer is gone and all it wrote is read: its entry is free for another. */
  void forget(ShmPeer peer) {
    for (int sender = 0; sender < peers.length; sender++) {
      if (peers[sender] == peer) {
        peers[sender] = null;
        free(sender);
      }
    }
  }

  private void free(int sender) {
    int at = ShmLayout.senderAt(sender);
    orphanedAt[sender] = 0;
    buffer.putLong(at + ShmLayout.SENDER_CLAIMS, 0);
    buffer.putIntOrdered(at, ShmLayout.SENDER_FREE);
  }

  /** The file of a sender is gone: its entry is free once all that was written before is read. */
  private void freeOrphan(int sender) {
    if (orphanedAt[sender] == 0) {
      orphanedAt[sender] = ring.producerPosition() + 1;
    } else if (ring.consumerPosition() + 1 >= orphanedAt[sender]) {
      free(sender);
    }
  }

  /** Follows the peers that come and go, and repairs the ring if it has been blocked for long. */
  void check(long nowNs) {
    for (int sender = 0; sender < peers.length; sender++) {
      if (state(sender) >= ShmLayout.SENDER_READY && peer(sender) == null) {
        freeOrphan(sender);
      }
    }
    long head = ring.consumerPosition();
    if (head == ring.producerPosition()) {
      blockedAt = -1;
    } else if (head != blockedAt) {
      blockedAt = head;
      blockedSinceNs = nowNs;
      for (int sender = 0; sender < claimsThen.length; sender++) {
        claimsThen[sender] = claims(sender);
      }
    } else if (nowNs - blockedSinceNs >= repairNs && isOfTheDead()) {
      ring.unblock();
    }
  }

  private boolean isOfTheDead() {
    boolean dead = false;
    for (int sender = 0; sender < peers.length; sender++) {
      if (state(sender) >= ShmLayout.SENDER_READY && (claims(sender) & 1) != 0) {
        ShmPeer peer = peer(sender);
        if (peer == null || !peer.isOwnerAlive()) {
          dead = true;
        } else if (claims(sender) == claimsThen[sender]) {
          return false;
        }
      }
    }
    return dead;
  }
}
