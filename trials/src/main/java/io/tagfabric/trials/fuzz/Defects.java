package io.tagfabric.trials.fuzz;

import net.bytebuddy.asm.Advice;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Code that earlier versions had, or might have had, to be woven into methods of today in a JVM
 * that is only there to be found wrong. Each class is advice for one method.
 */
final class Defects {
  private Defects() {}

  /**
   * Placing the bytes of a long message: the sum of position and count overflows, and bytes for a
   * position near the greatest number are written before the receive's part.
   */
  static final class Place {
    private Place() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static boolean placed(
        @Advice.Argument(0) long position,
        @Advice.Argument(1) DirectBuffer payload,
        @Advice.Argument(2) int offset,
        @Advice.Argument(3) int count,
        @Advice.FieldValue("target") MutableDirectBuffer target,
        @Advice.FieldValue("targetOffset") int targetOffset,
        @Advice.FieldValue("clearedTo") int clearedTo,
        @Advice.FieldValue(value = "arrived", readOnly = false) int arrived) {
      if (position < 0
          || count < 0
          || position + count > clearedTo
          || count > clearedTo - arrived) {
        return false;
      }
      target.putBytes(targetOffset + (int) position, payload, offset, count);
      arrived += count;
      return true;
    }

    @Advice.OnMethodExit
    static void result(
        @Advice.Enter boolean placed, @Advice.Return(readOnly = false) boolean result) {
      result |= placed;
    }
  }

  /**
   * Taking the credit of a message: nothing is asked, so that room for the whole message is made
   * for whatever length a first part tells.
   */
  static final class CountOnly {
    private CountOnly() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static boolean admitted() {
      return true;
    }

    @Advice.OnMethodExit
    static void result(@Advice.Return(readOnly = false) boolean result) {
      result |= true;
    }
  }

  /** Taking a proof: any is by the first key. */
  static final class FirstKey {
    private FirstKey() {}

    @Advice.OnMethodExit
    @SuppressWarnings("UnusedVariable") // what is assigned here is what the method returns
    static void result(@Advice.Return(readOnly = false) int key) {
      key = Math.max(key, 0);
    }
  }
}
