package io.tagfabric.trials.collective;

import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.Elements;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/** Elements whose values are small wholes, so that sums and products are exact in any order. */
final class SmallWholes {
  private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

  private SmallWholes() {}

  static Elements of(ElementKind kind, int count, SplittableRandom random) {
    Elements elements = Elements.allocate(kind, count);
    byte[] bytes = new byte[elements.lengthBytes()];
    random.nextBytes(bytes);
    elements.buffer().putBytes(0, bytes);
    for (int i = 0; i < count; i++) {
      int at = i * kind.bytes();
      int small = random.nextInt(3) + 1;
      switch (kind.key()) {
        case "float32", "float32-at" -> elements.buffer().putFloat(at, small, ORDER);
        case "float64", "float64-at" -> elements.buffer().putDouble(at, small, ORDER);
        case "int32-at" -> elements.buffer().putInt(at, small, ORDER);
        case "int64-at" -> elements.buffer().putLong(at, small, ORDER);
        case "boolean" -> elements.buffer().putByte(at, (byte) (small & 1));
        default -> {} // wholes wrap around, so any will do
      }
    }
    return elements;
  }
}
