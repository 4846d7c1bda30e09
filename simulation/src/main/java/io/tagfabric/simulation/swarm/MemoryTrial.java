package io.tagfabric.simulation.swarm;

import io.tagfabric.provider.FabricMemory;
import io.tagfabric.provider.SharedMemory;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.wire.MemoryKey;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Keys to fabric memory of one node in the hands of another: they open the bytes that they name,
 * none beyond the end of the memory, and nothing after they were revoked or the memory was closed.
 * Takes no virtual time.
 */
final class MemoryTrial {
  private static final int MOST_BYTES = 4_096;
  private static final int MOST_STEPS = 12;
  private static final byte OWNERS = 0x5a;
  private static final byte PEERS = 0x33;

  private final SeedRun run;
  private final Choices choices;

  MemoryTrial(SeedRun run) {
    this.run = run;
    choices = run.choices();
  }

  /** Runs it if two nodes are left. */
  void run() {
    List<Node> up = run.nodes().stream().filter(Node::isUp).toList();
    if (up.size() < 2) {
      return;
    }
    Node owner = up.get(0);
    int bytes = 1 + choices.below(MOST_BYTES);
    FabricMemory memory = owner.simulated.domain().allocate(bytes);
    SharedMemory owners = run.memoryOf(owner);
    SharedMemory peers = run.memoryOf(up.get(1));
    MutableDirectBuffer buffer = memory.buffer();
    buffer.setMemory(0, bytes, OWNERS);
    MemoryKey key = key(owners, buffer, bytes);
    for (int i = choices.below(MOST_STEPS); i > 0; i--) {
      switch (choices.below(4)) {
        case 0 -> access(peers, key, bytes, buffer, true);
        case 1 -> accessBeyond(peers, key, bytes);
        case 2 -> key = key(owners, buffer, bytes);
        default -> {
          owners.revoke(key);
          access(peers, key, bytes, buffer, false);
          key = key(owners, buffer, bytes);
        }
      }
    }
    memory.close();
    run.trace().note(90, owner.number(), bytes, 0, () -> "memory  of " + owner + " is closed");
    access(peers, key, bytes, buffer, false);
    Violation.require(
        owners.keyOf(buffer, 0, bytes) == null,
        Invariant.MEMORY,
        "memory of %s is closed, and a key to it is given out",
        owner);
  }

  private MemoryKey key(SharedMemory owners, MutableDirectBuffer buffer, int bytes) {
    int offset = choices.below(bytes);
    MemoryKey key = owners.keyOf(buffer, offset, bytes - offset);
    Violation.require(
        key != null && key.at() == offset,
        Invariant.MEMORY,
        "the key to byte %d of %d is %s",
        offset,
        bytes,
        key);
    return key;
  }

  /** Reads and writes within the memory; a key that is no good must open nothing. */
  private void access(
      SharedMemory peers, MemoryKey key, int bytes, MutableDirectBuffer buffer, boolean isGood) {
    int behind = (int) (bytes - key.at());
    int position = choices.below(behind);
    int length = 1 + choices.below(behind - position);
    UnsafeBuffer copy = new UnsafeBuffer(new byte[length]);
    boolean read = peers.read(key, position, copy, 0, length);
    Violation.require(
        read == isGood && (!read || isFilled(copy, 0, length, OWNERS)),
        Invariant.MEMORY,
        "%s: %d bytes at %d of %d are read: %b",
        isGood ? "a good key" : "a revoked key",
        length,
        position,
        bytes,
        read);
    copy.setMemory(0, length, PEERS);
    boolean written = peers.write(key, position, copy, 0, length);
    int at = (int) key.at() + position;
    Violation.require(
        written == isGood && isFilled(buffer, at, length, isGood ? PEERS : OWNERS),
        Invariant.MEMORY,
        "%s: %d bytes at %d of %d are written: %b",
        isGood ? "a good key" : "a revoked key",
        length,
        position,
        bytes,
        written);
    buffer.setMemory(at, length, OWNERS);
  }

  /** Asks for bytes of which some lie behind the end. */
  private void accessBeyond(SharedMemory peers, MemoryKey key, int bytes) {
    int behind = (int) (bytes - key.at());
    int position = choices.below(behind + 1);
    int length = behind - position + 1 + choices.below(8);
    UnsafeBuffer copy = new UnsafeBuffer(new byte[length]);
    copy.setMemory(0, length, PEERS);
    boolean opened =
        peers.read(key, position, copy, 0, length) || !isFilled(copy, 0, length, PEERS);
    Violation.require(
        !opened,
        Invariant.MEMORY,
        "a key opens %d bytes at %d of %d, beyond the end of %d",
        length,
        position,
        key.at(),
        bytes);
  }

  private static boolean isFilled(DirectBuffer buffer, int offset, int length, byte value) {
    for (int i = 0; i < length; i++) {
      if (buffer.getByte(offset + i) != value) {
        return false;
      }
    }
    return true;
  }
}
