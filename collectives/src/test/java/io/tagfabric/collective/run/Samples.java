package io.tagfabric.collective.run;

import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.ReduceOp;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;

/** Random elements of all kinds, and what becomes of them by the definition. */
final class Samples {
  private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

  private Samples() {}

  /** Floating-point values are small wholes, so that sums are exact in any order. */
  static Elements of(ElementKind kind, int count, Random random) {
    Elements elements = Elements.allocate(kind, count);
    byte[] bytes = new byte[elements.lengthBytes()];
    random.nextBytes(bytes);
    elements.buffer().putBytes(0, bytes);
    for (int i = 0; i < count; i++) {
      int at = i * kind.bytes();
      int small = random.nextInt(4) + 1;
      switch (kind.key()) {
        case "float32", "float32-at" -> elements.buffer().putFloat(at, small, ORDER);
        case "float64", "float64-at" -> elements.buffer().putDouble(at, small, ORDER);
        case "int32-at" -> elements.buffer().putInt(at, small, ORDER);
        case "int64-at" -> elements.buffer().putLong(at, small, ORDER);
        case "boolean" -> elements.buffer().putByte(at, (byte) (small & 1));
        default -> {}
      }
    }
    return elements;
  }

  /** All of them combined, from the first to the last. */
  static Elements fold(ReduceOp op, List<Elements> parts) {
    Elements result = parts.get(0).copy();
    for (Elements part : parts.subList(1, parts.size())) {
      op.combine(
          result.kind(),
          result.buffer(),
          result.offset(),
          part.buffer(),
          part.offset(),
          result.buffer(),
          result.offset(),
          result.count());
    }
    return result;
  }
}
