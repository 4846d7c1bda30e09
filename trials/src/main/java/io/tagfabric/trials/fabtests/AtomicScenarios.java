package io.tagfabric.trials.fabtests;

import io.tagfabric.access.Access;
import io.tagfabric.access.MemoryFutures;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.error.FabricError;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionDescriptor;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.agrona.concurrent.UnsafeBuffer;

/** Updates of elements of a peer's memory. */
final class AtomicScenarios {
  private AtomicScenarios() {}

  static List<Scenario> all() {
    return List.of(
        new Scenario(
            "atomic",
            "atomic",
            "rdm_atomic",
            "every operation on every kind of element",
            AtomicScenarios::operations),
        new Scenario(
            "atomic-shared",
            "atomic",
            "fi_ubertest, atomics",
            "both sides add to one counter, and lose nothing",
            AtomicScenarios::shared));
  }

  private static void operations(Side side) {
    Link link = side.open();
    RegionDescriptor there =
        MemoryScenarios.exchange(side, MemoryScenarios.register(link, new byte[64]));
    if (side.isFirst()) {
      MemoryFutures futures = link.endpoint().memory().futures();
      for (AtomicKind kind : AtomicKind.values()) {
        for (AtomicOp op : AtomicOp.values()) {
          if (link.endpoint().memory().query(op, kind) > 0) {
            operation(side, link, there, op, kind);
          } else {
            UnsafeBuffer word = new UnsafeBuffer(new byte[kind.bytes()]);
            MemoryScenarios.requireError(
                MemoryScenarios.failure(
                    side,
                    () ->
                        futures.start(
                            Access.fetch(
                                new RemoteRegion(link.peer(), there), 0, op, kind, word, word))),
                FabricError.OPERATION_NOT_SUPPORTED);
          }
        }
      }
      UnsafeBuffer word = new UnsafeBuffer(new byte[8]);
      MemoryScenarios.requireError(
          MemoryScenarios.failure(
              side,
              () ->
                  futures.start(
                      Access.fetch(
                          new RemoteRegion(link.peer(), there),
                          4,
                          AtomicOp.SUM,
                          AtomicKind.INT64,
                          word,
                          word))),
          FabricError.INVALID);
    }
    side.sync();
  }

  /** On two elements, 6 and 3, with the operand 5, compared with 6. */
  private static void operation(
      Side side, Link link, RegionDescriptor there, AtomicOp op, AtomicKind kind) {
    MemoryFutures futures = link.endpoint().memory().futures();
    UnsafeBuffer before = pair(kind, 6, 3);
    UnsafeBuffer old = pair(kind, 0, 0);
    UnsafeBuffer after = pair(kind, 0, 0);
    int at = 2 * kind.bytes();
    side.join(futures.write(new RemoteRegion(link.peer(), there), at, before));
    if (op.compares()) {
      side.join(
          futures.start(
              Access.compare(
                  new RemoteRegion(link.peer(), there),
                  at,
                  op,
                  kind,
                  pair(kind, 6, 6),
                  pair(kind, 5, 5),
                  old)));
    } else {
      side.join(
          futures.start(
              Access.fetch(
                  new RemoteRegion(link.peer(), there), at, op, kind, pair(kind, 5, 5), old)));
    }
    side.join(futures.read(new RemoteRegion(link.peer(), there), at, after));
    MemoryScenarios.requireEqual(before.byteArray(), old.byteArray());
    UnsafeBuffer wanted = pair(kind, expected(op, 6), expected(op, 3));
    MemoryScenarios.requireEqual(wanted.byteArray(), after.byteArray());
  }

  /** What an element becomes with the operand 5, compared with 6. */
  private static int expected(AtomicOp op, int old) {
    return switch (op) {
      case MIN -> Math.min(old, 5);
      case MAX -> Math.max(old, 5);
      case SUM -> old + 5;
      case DIFF -> old == 6 ? 1 : -2;
      case PROD -> old * 5;
      case LOR, LAND -> 1;
      case LXOR -> 0;
      case BOR -> old | 5;
      case BAND -> old & 5;
      case BXOR -> old ^ 5;
      case READ -> old;
      case WRITE -> 5;
      case CSWAP, CSWAP_LE -> old == 6 ? 5 : 3;
      case CSWAP_NE, CSWAP_GT -> old == 6 ? 6 : 5;
      case CSWAP_LT -> old;
      case CSWAP_GE -> 5;
      case MSWAP -> (5 & 6) | (old & ~6);
    };
  }

  private static UnsafeBuffer pair(AtomicKind kind, int first, int second) {
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[2 * kind.bytes()]);
    int at = 0;
    for (int value : new int[] {first, second}) {
      switch (kind) {
        case INT8, UINT8 -> buffer.putByte(at, (byte) value);
        case INT16, UINT16 -> buffer.putShort(at, (short) value, ByteOrder.LITTLE_ENDIAN);
        case INT32, UINT32 -> buffer.putInt(at, value, ByteOrder.LITTLE_ENDIAN);
        case INT64, UINT64 -> buffer.putLong(at, value, ByteOrder.LITTLE_ENDIAN);
        case FLOAT -> buffer.putFloat(at, value, ByteOrder.LITTLE_ENDIAN);
        case DOUBLE -> buffer.putDouble(at, value, ByteOrder.LITTLE_ENDIAN);
      }
      at += kind.bytes();
    }
    return buffer;
  }

  private static void shared(Side side) {
    int each = 500;
    Link link = side.open();
    UnsafeBuffer target = new UnsafeBuffer(new byte[8]);
    Region own = MemoryScenarios.register(link, target.byteArray());
    RegionDescriptor theirs = MemoryScenarios.exchange(side, own);
    // Both add to the region of the second side; its own endpoint is its peer then.
    int peer =
        side.isFirst()
            ? link.peer()
            : link.domain().addressVector().insert(link.endpoint().address());
    RegionDescriptor counter = side.isFirst() ? theirs : own.descriptor();
    MemoryFutures futures = link.endpoint().memory().futures();
    List<CompletionStage<Long>> added = new ArrayList<>();
    for (int i = 0; i < each; i++) {
      added.add(futures.fetch(new RemoteRegion(peer, counter), 0, AtomicOp.SUM, 1));
    }
    long before = -1;
    for (CompletionStage<Long> one : added) {
      long old = side.join(one);
      long last = before;
      Wrong.unless(old > last, () -> "the counter was " + old + " after it was " + last);
      before = old;
    }
    side.sync();
    if (!side.isFirst()) {
      long sum = target.getLong(0, ByteOrder.LITTLE_ENDIAN);
      Wrong.unless(sum == 2L * each, () -> "the counter is " + sum + " of " + 2 * each);
    }
  }
}
