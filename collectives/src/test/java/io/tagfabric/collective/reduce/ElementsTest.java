package io.tagfabric.collective.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class ElementsTest {
  @Test
  void shouldGiveBackWhatItWasMadeOf() {
    assertThat(Elements.of(1.5, -2).doubles()).containsExactly(1.5, -2);
    assertThat(Elements.of(1.5f).floats()).containsExactly(1.5f);
    assertThat(Elements.of(Long.MIN_VALUE).longs()).containsExactly(Long.MIN_VALUE);
    assertThat(Elements.of(1, -2).ints()).containsExactly(1, -2);
    assertThat(Elements.of((short) -2).longs()).containsExactly(-2);
    assertThat(Elements.of(true, false).booleans()).containsExactly(true, false);
  }

  @Test
  void shouldWriteThroughWhenOverBytesOfAProgram() {
    byte[] array = new byte[16];
    ByteBuffer direct = ByteBuffer.allocateDirect(24).position(8);

    Elements.over(ElementKind.INT64, array).part(1, 1).buffer().putLong(8, 5, Reduction.ORDER);
    Elements.over(ElementKind.INT64, direct).buffer().putLong(0, 6, Reduction.ORDER);

    assertThat(array[8]).isEqualTo((byte) 5);
    assertThat(direct.get(8)).isEqualTo((byte) 6);
    assertThat(Elements.over(ElementKind.FLOAT64, direct).doubles()).hasSize(2);
  }

  @Test
  void shouldFindSharedMemoryWhenBuffersDiffer() {
    byte[] array = new byte[16];
    Elements whole = Elements.over(ElementKind.INT32, array);
    Elements again = Elements.over(ElementKind.INT32, new UnsafeBuffer(array), 0, 4);

    assertThat(whole.isSame(again)).isTrue();
    assertThat(whole.part(0, 2).overlaps(again.part(1, 2))).isTrue();
    assertThat(whole.part(0, 2).overlaps(again.part(2, 2))).isFalse();
    assertThat(whole.overlaps(Elements.over(ElementKind.INT32, new byte[16]))).isFalse();
    assertThat(whole.overlaps(whole.copy())).isFalse();
  }

  @Test
  void shouldReadAPartFromItsOwnPlace() {
    Elements part = Elements.of(1, 2, 3).part(1, 2);

    assertThat(part.ints()).containsExactly(2, 3);
    assertThat(part.copy().ints()).containsExactly(2, 3);
    assertThat(part.as(ElementKind.BYTES).count()).isEqualTo(8);
  }

  @Test
  void shouldRefuseWhatDoesNotFit() {
    assertThatThrownBy(() -> Elements.over(ElementKind.INT32, new byte[6]))
        .hasMessage("lengthBytes=6 is no multiple of 4, the bytes of one int32");
    assertThatThrownBy(() -> Elements.over(ElementKind.INT32, new UnsafeBuffer(new byte[8]), 4, 2))
        .hasMessage("offsetBytes=4 count=2 of kind=int32 do not lie in the buffer, capacity=8");
    assertThatThrownBy(() -> Elements.of(1, 2).part(1, 2))
        .hasMessage("from=1 length=2 do not lie in count=2");
    assertThatThrownBy(() -> Elements.of(1).doubles())
        .hasMessage("kind=int32 is not float64, ask for its own type");
    assertThatThrownBy(() -> Elements.allocate(ElementKind.FLOAT64, 1 << 30))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "count=1073741824 of kind=float64 takes 8589934592 bytes > 2147483639, the longest"
                + " array");
    assertThatThrownBy(
            () -> Elements.over(ElementKind.BYTES, ByteBuffer.allocate(1).asReadOnlyBuffer()))
        .hasMessage("a collective cannot use a read-only buffer, copy it");
  }
}
