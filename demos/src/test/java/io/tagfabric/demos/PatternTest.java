package io.tagfabric.demos;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class PatternTest {
  private final ByteBuffer buffer = ByteBuffer.allocate(1000);

  @Test
  void shouldAcceptWhatItFilled() {
    Pattern.fill(buffer, 5);

    assertThatCode(() -> Pattern.verify(buffer, 1000, 5)).doesNotThrowAnyException();
  }

  @Test
  void shouldNameTheFirstWrongByte() {
    Pattern.fill(buffer, 1);
    buffer.put(700, (byte) (buffer.get(700) ^ 0x10));

    assertThatThrownBy(() -> Pattern.verify(buffer, 1000, 1))
        .hasMessage("byte 700 of message 1 is 0xcd, expected 0xdd");
  }

  @Test
  void shouldTellMessagesApart() {
    Pattern.fill(buffer, 1);

    assertThatThrownBy(() -> Pattern.verify(buffer, 1000, 2))
        .hasMessageStartingWith("byte 0 of message 2");
  }

  @Test
  void shouldRefuseAnotherLength() {
    assertThatThrownBy(() -> Pattern.verify(buffer, 999, 1))
        .hasMessage("message 1 has 999 bytes, expected 1000");
  }
}
