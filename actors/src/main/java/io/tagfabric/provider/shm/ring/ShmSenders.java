package io.tagfabric.provider.shm.ring;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RecordDescriptor;

/**
 * The writers of a domain's lanes and of its ring, and the repair of what a killed one leaves: a
 * record that is claimed and never committed stops the ring. A lane needs no repair.
 *
 * <p>Claim: a record is given up only if nobody alive can still write it. A blocked record was
 * claimed before it was found blocked, by a sender whose count was odd then; a sender has one claim
 * at a time. So once every living sender has been seen with an even count, or another one than
 * then, the record is a dead one's.
 *
 * <p>Thread: the domain's loop.
 *
 * @param <P> what the domain knows of a sender
 */
public final class ShmSenders<P extends ShmSenders.Owner> {
  /** Whoever writes by an entry. */
  public interface Owner {
    /** Whether its process may still write. */
    boolean isOwnerAlive();
  }

  private final UnsafeBuffer buffer;
  private final ManyToOneRingBuffer ring;
  private final ShmLanes lanes;
  private final long repairNs;
  private final Function<Path, P> find;
  private final IntPredicate mayLive;
  private final List<P> peers = new ArrayList<>(Collections.nCopies(ShmLayout.SENDERS, null));
  private final long[] orphanedAt = new long[ShmLayout.SENDERS];
  private final int[] takenThen = new int[ShmLayout.SENDERS];
  private final long[] claimsThen = new long[ShmLayout.SENDERS];
  private long blockedAt = -1;
  private long claimedThen;
  private long blockedSinceNs;

  /**
   * The senders of one ring.
   *
   * @param buffer the file of the domain, as {@link ShmLayout} says
   * @param ring the ring in it
   * @param lanes in it
   * @param repairNs how long a record may be open before anybody is asked whether its sender lives
   * @param find maps the file of a sender; null if it is gone or cannot be mapped
   * @param mayLive whether there may be a living domain by whose path {@link ShmEntry#takenBy}
   *     gives this
   */
  public ShmSenders(
      UnsafeBuffer buffer,
      ManyToOneRingBuffer ring,
      ShmLanes lanes,
      long repairNs,
      Function<Path, P> find,
      IntPredicate mayLive) {
    this.buffer = buffer;
    this.ring = ring;
    this.lanes = lanes;
    this.repairNs = repairNs;
    this.find = find;
    this.mayLive = mayLive;
  }

  /** The peer behind a sender's entry, null if there is none. */
  public P peer(int sender) {
    if (sender < 0 || sender >= ShmLayout.SENDERS) {
      return null;
    }
    P peer = peers.get(sender);
    if (peer == null && isWriters(sender)) {
      try {
        peer = find.apply(path(sender));
      } catch (InvalidPathException nobody) {
        return null;
      }
      peers.set(sender, peer);
    }
    return peer;
  }

  private int state(int sender) {
    return buffer.getIntVolatile(ShmLayout.senderAt(sender));
  }

  /** Whether an entry is of somebody who writes by it, or has. */
  private boolean isWriters(int sender) {
    return state(sender) == ShmLayout.SENDER_READY;
  }

  private Path path(int sender) {
    return Path.of(new String(pathBytes(sender), StandardCharsets.UTF_8));
  }

  private byte[] pathBytes(int sender) {
    int at = ShmLayout.senderAt(sender);
    int length = buffer.getInt(at + ShmLayout.SENDER_PATH_LENGTH);
    byte[] path = new byte[Math.max(0, Math.min(length, ShmLayout.MAX_PATH_BYTES))];
    buffer.getBytes(at + ShmLayout.SENDER_PATH, path);
    return path;
  }

  private long claims(int sender) {
    return buffer.getLongVolatile(ShmLayout.senderAt(sender) + ShmLayout.SENDER_CLAIMS);
  }

  /** Finds out which peers the entries are of that are not known yet; may map files. */
  public void findAll() {
    for (int sender = 0; sender < ShmLayout.SENDERS; sender++) {
      peer(sender);
    }
  }

  /**
   * Whether all is read that a peer wrote into its lane; it writes no more, and {@link #findAll}
   * has run since its last word.
   */
  public boolean isDrained(P peer) {
    for (int sender = 0; sender < ShmLayout.SENDERS; sender++) {
      if (peers.get(sender) == peer && !lanes.isDrained(sender)) {
        return false;
      }
    }
    return true;
  }

  /** A peer is gone and all it wrote is read: its entry is free for another. */
  public void forget(P peer) {
    for (int sender = 0; sender < ShmLayout.SENDERS; sender++) {
      if (peers.get(sender) == peer) {
        peers.set(sender, null);
        free(sender);
      }
    }
  }

  /** A peer is gone that may still write: nobody has its entry after it, or reads its lane. */
  public void giveUp(P peer) {
    for (int sender = 0; sender < ShmLayout.SENDERS; sender++) {
      if (peers.get(sender) == peer) {
        peers.set(sender, null);
        lanes.cutOff(sender);
        buffer.putIntVolatile(ShmLayout.senderAt(sender), ShmLayout.SENDER_CUT_OFF);
      }
    }
  }

  private void free(int sender) {
    int at = ShmLayout.senderAt(sender);
    orphanedAt[sender] = 0;
    boolean reusable = lanes.free(sender);
    buffer.putLong(at + ShmLayout.SENDER_CLAIMS, 0);
    buffer.putIntOrdered(at, reusable ? ShmLayout.SENDER_FREE : ShmLayout.SENDER_CUT_OFF);
  }

  /**
   * A sender has written into its lane what none writes, and the lane is cut off: the sender may
   * read that in its entry, which nobody has after it.
   *
   * @return who it is, null if nobody knows
   */
  public P cutOff(int sender) {
    P peer = peer(sender);
    buffer.putIntVolatile(ShmLayout.senderAt(sender), ShmLayout.SENDER_CUT_OFF);
    return peer;
  }

  /**
   * Somebody has taken an entry and not made it ready since the last look. It is free again if
   * nobody lives who can have been that; he has written nothing yet.
   */
  private void freeTaken(int sender, int word) {
    if (takenThen[sender] != word) {
      takenThen[sender] = word;
    } else if (!mayLive.test(word)
        && buffer.compareAndSetInt(ShmLayout.senderAt(sender), word, ShmLayout.SENDER_TAKEN)) {
      free(sender);
    }
  }

  /** Whether a sender lives, also one whose file cannot be mapped. */
  private boolean lives(int sender) {
    P peer = peer(sender);
    return peer == null ? mayLive.test(ShmEntry.takenBy(pathBytes(sender))) : peer.isOwnerAlive();
  }

  /**
   * The file of a sender cannot be mapped: if nobody lives with such a file, its entry is free once
   * all that was written before is read.
   */
  private void freeOrphan(int sender) {
    if (orphanedAt[sender] == 0) {
      orphanedAt[sender] = ring.producerPosition() + 1;
    } else if (ring.consumerPosition() + 1 >= orphanedAt[sender]
        && !lives(sender)
        && lanes.isDrained(sender)) {
      free(sender);
    }
  }

  /** Follows the peers that come and go, and repairs the ring if it has been blocked for long. */
  public void check(long nowNs) {
    for (int sender = 0; sender < ShmLayout.SENDERS; sender++) {
      int word = state(sender);
      if ((word & ShmLayout.STATE_MASK) == ShmLayout.SENDER_TAKEN) {
        freeTaken(sender, word);
        continue;
      }
      takenThen[sender] = 0;
      if (isWriters(sender) && peer(sender) == null) {
        freeOrphan(sender);
      }
    }
    long head = ring.consumerPosition();
    if (head == ring.producerPosition()) {
      blockedAt = -1;
    } else if (head != blockedAt) {
      blockedAt = head;
      blockedSinceNs = nowNs;
      claimedThen = ring.producerPosition();
      for (int sender = 0; sender < claimsThen.length; sender++) {
        claimsThen[sender] = claims(sender);
      }
    } else if (nowNs - blockedSinceNs >= repairNs && isOfTheDead()) {
      if (!ring.unblock()) {
        passOverHole(head);
      }
    }
  }

  /**
   * A sender was killed after it had moved the tail and before it had written anything, and nothing
   * is written behind that: {@link ManyToOneRingBuffer#unblock} waits for something. But nobody
   * alive has a claim of those that were there when the record was found blocked, so all up to
   * there is the dead one's.
   */
  private void passOverHole(long head) {
    AtomicBuffer records = ring.buffer();
    int index = (int) head & (ring.capacity() - 1);
    int bytes = (int) Math.min(claimedThen - head, ring.capacity() - index);
    for (int at = index; at < index + bytes; at += RecordDescriptor.ALIGNMENT) {
      if (records.getIntVolatile(RecordDescriptor.lengthOffset(at)) != 0) {
        return;
      }
    }
    if (bytes > 0) {
      records.putInt(RecordDescriptor.typeOffset(index), ManyToOneRingBuffer.PADDING_MSG_TYPE_ID);
      records.putIntOrdered(RecordDescriptor.lengthOffset(index), bytes);
    }
  }

  private boolean isOfTheDead() {
    boolean dead = false;
    for (int sender = 0; sender < ShmLayout.SENDERS; sender++) {
      if (isWriters(sender) && (claims(sender) & 1) != 0) {
        if (!lives(sender)) {
          dead = true;
        } else if (claims(sender) == claimsThen[sender]) {
          return false;
        }
      }
    }
    return dead;
  }
}
