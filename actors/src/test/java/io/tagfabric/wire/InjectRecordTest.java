package io.tagfabric.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class InjectRecordTest {
  private static final byte UNTOUCHED = 0x55;
  private static final int RECORD_AT = 24;
  private static final long FLOW = FlowKey.of(7, 1234, -99);

  private final byte[] ring = new byte[512];
  private final UnsafeBuffer record = new UnsafeBuffer(ring);
  private final MessageView read = new MessageView();

  private static MessageView message(long tag, byte[] payload, int from) {
    MessageView message = new MessageView();
    message.show(tag, new UnsafeBuffer(payload), from, payload.length - from);
    return message;
  }

  private static byte[] bytesOf(MessageView message) {
    byte[] bytes = new byte[message.length()];
    message.buffer().getBytes(message.offset(), bytes);
    return bytes;
  }

  /** Writes it, and checks that nothing beside it was touched. */
  private int write(long flow, MessageView message) {
    Arrays.fill(ring, UNTOUCHED);
    int length = InjectRecord.length(message);
    InjectRecord.write(record, RECORD_AT, flow, message);
    for (int at = 0; at < ring.length; at++) {
      if (at < RECORD_AT || at >= RECORD_AT + length) {
        assertThat(ring[at]).as("byte %d", at).isEqualTo(UNTOUCHED);
      }
    }
    return length;
  }

  @Property(tries = 200)
  void shouldReadWhatWasWritten(
      @ForAll long tag,
      @ForAll boolean hasData,
      @ForAll long data,
      @ForAll int number,
      @ForAll long incarnation,
      @ForAll @Size(max = 200) byte[] bytes,
      @ForAll @IntRange(max = 8) int skipped) {
    int from = Math.min(skipped, bytes.length);
    MessageView message = message(tag, bytes, from);
    if (hasData) {
      message.showData(data);
    }
    long flow = FlowKey.of(number & Integer.MAX_VALUE, 5, incarnation);

    int length = write(flow, message);
    assertThat(InjectRecord.read(record, RECORD_AT, length, read)).isTrue();

    assertThat(InjectRecord.flow(record, RECORD_AT)).isEqualTo(flow);
    assertThat(read.tag()).isEqualTo(tag);
    assertThat(read.hasData()).isEqualTo(hasData);
    assertThat(read.data()).isEqualTo(hasData ? data : 0);
    assertThat(bytesOf(read)).isEqualTo(Arrays.copyOfRange(bytes, from, bytes.length));
    assertThat(length).isEqualTo(bytes.length - from + (hasData ? 24 : 16));
  }

  @Test
  void shouldLieAsItIsDocumented() {
    MessageView message = message(0x1122334455667788L, new byte[] {9, 8, 7}, 1);
    message.showData(77);

    write(FLOW, message);

    assertThat(record.getLong(RECORD_AT)).isEqualTo(FLOW | 1L << 31);
    assertThat(record.getLong(RECORD_AT + 8)).isEqualTo(0x1122334455667788L);
    assertThat(record.getLong(RECORD_AT + 16)).isEqualTo(77);
    assertThat(record.getByte(RECORD_AT + 24)).isEqualTo((byte) 8);
  }

  @Test
  void shouldRefuseARecordThatIsTooShortForItsHeader() {
    int length = write(FLOW, message(1, new byte[0], 0));
    assertThat(length).isEqualTo(16);
    assertThat(InjectRecord.read(record, RECORD_AT, 16, read)).as("no payload").isTrue();
    assertThat(InjectRecord.read(record, RECORD_AT, 15, read)).isFalse();
    assertThat(InjectRecord.read(record, RECORD_AT, 0, read)).isFalse();
  }

  @Test
  void shouldRefuseARecordThatIsTooShortForTheDataThatItNames() {
    MessageView message = message(1, new byte[0], 0);
    message.showData(3);
    int length = write(FLOW, message);
    assertThat(length).isEqualTo(24);
    assertThat(InjectRecord.read(record, RECORD_AT, 24, read)).isTrue();
    assertThat(InjectRecord.read(record, RECORD_AT, 23, read)).isFalse();
    assertThat(InjectRecord.read(record, RECORD_AT, 16, read)).isFalse();
  }

  @Test
  void shouldNotLookForDataInARecordWithoutAHeader() {
    Arrays.fill(ring, (byte) 0xFF);
    UnsafeBuffer end = new UnsafeBuffer(ring, ring.length - 7, 7);

    assertThat(InjectRecord.read(end, 0, 7, read)).isFalse();
  }
}
