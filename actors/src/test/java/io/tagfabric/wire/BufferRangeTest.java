package io.tagfabric.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BufferRangeTest {
  private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[10]);

  @ParameterizedTest
  @CsvSource({"0,0", "0,10", "10,0", "4,6"})
  void shouldTakeBytesThatLieInTheBuffer(int offset, int length) {
    assertThatCode(() -> BufferRange.require(buffer, offset, length)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({"-1,1", "0,-1", "0,11", "4,7", "11,0", "2147483647,1", "1,2147483647"})
  void shouldRefuseBytesThatDoNot(int offset, int length) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BufferRange.require(buffer, offset, length))
        .withMessage(
            "offset=%d lengthBytes=%d do not lie in the buffer, capacity=10", offset, length);
  }

  @Test
  void shouldRefuseNoBuffer() {
    assertThatNullPointerException().isThrownBy(() -> BufferRange.require(null, 0, 0));
    assertThatNullPointerException().isThrownBy(() -> BufferRange.remaining(null));
    assertThatNullPointerException().isThrownBy(() -> BufferRange.writable(null));
  }

  private static ByteBuffer numbered() {
    ByteBuffer bytes = ByteBuffer.allocate(10);
    for (int i = 0; i < 10; i++) {
      bytes.put(i, (byte) i);
    }
    return bytes.position(3).limit(8);
  }

  @Test
  void shouldShowWhatRemainsAndLeaveThePosition() {
    ByteBuffer bytes = numbered();
    DirectBuffer range = BufferRange.remaining(bytes.asReadOnlyBuffer());

    assertThat(range.capacity()).isEqualTo(5);
    assertThat(range.getByte(0)).isEqualTo((byte) 3);
    assertThat(bytes.position()).isEqualTo(3);
  }

  @Test
  void shouldWriteToWhatRemains() {
    ByteBuffer bytes = numbered();
    MutableDirectBuffer range = BufferRange.writable(bytes);
    range.putByte(4, (byte) 99);

    assertThat(range.capacity()).isEqualTo(5);
    assertThat(bytes.get(7)).isEqualTo((byte) 99);
    assertThat(bytes.position()).isEqualTo(3);
  }

  @Test
  void shouldNotWriteToAReadOnlyBuffer() {
    ByteBuffer readOnly = numbered().asReadOnlyBuffer();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> BufferRange.writable(readOnly))
        .withMessage("a receive cannot write to a read-only buffer");
  }
}
