package io.tagfabric.provider.shm.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.progress.TimeSource;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.zip.Deflater;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WholeLineCopyTest {
  private static final int END_MARK_AT = 160 * 1024;
  private static final int FILE_BYTES = END_MARK_AT + Long.BYTES;
  private static final int SOURCE_BYTES = 72 * 1024;
  private static final int LONG = 20_000;

  private final ByteBuffer memory = ByteBuffer.allocateDirect(FILE_BYTES);
  private final UnsafeBuffer file = new UnsafeBuffer(memory);

  /** Each copy goes by lines. */
  private final CopyChoice byLines =
      new CopyChoice() {
        @Override
        boolean second() {
          return true;
        }
      };

  private WholeLineCopy copy = copyBy(new Deflater(0, WholeLineCopy.RAW_BLOCKS));

  WholeLineCopyTest() {
    file.putLong(END_MARK_AT, ShmLayout.END_MARK);
  }

  private WholeLineCopy copyBy(Deflater deflater) {
    return new WholeLineCopy(memory, END_MARK_AT, () -> 0, byLines, deflater);
  }

  private void fill(long seed) {
    byte[] bytes = new byte[END_MARK_AT];
    new Random(seed).nextBytes(bytes);
    file.putBytes(0, bytes);
  }

  private byte[] content() {
    byte[] bytes = new byte[END_MARK_AT];
    file.getBytes(0, bytes);
    return bytes;
  }

  private static byte[] random(long seed) {
    byte[] bytes = new byte[SOURCE_BYTES];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static UnsafeBuffer direct(byte[] bytes) {
    UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(bytes.length));
    buffer.putBytes(0, bytes);
    return buffer;
  }

  /** Copies as the model does, and looks at every byte. */
  private void check(DirectBuffer from, byte[] source, int fromIndex, int at, int length) {
    byte[] expected = content();
    System.arraycopy(source, fromIndex, expected, at, length);
    UnsafeBuffer packet = new UnsafeBuffer(file, at - at % 100, END_MARK_AT - at);

    copy.copy(from, fromIndex, packet, at % 100, length);

    assertThat(content()).isEqualTo(expected);
  }

  /** One place and length after the other, so that what one copy leaves meets the next one. */
  @Property(tries = 40)
  void shouldCopyTheseBytesAndNoOthers(
      @ForAll @Size(min = 1, max = 12) int[] lengths,
      @ForAll @IntRange(min = 100, max = 50_000) int at,
      @ForAll @IntRange(max = 300) int fromIndex,
      @ForAll boolean array,
      @ForAll long seed) {
    byte[] source = random(seed);
    fill(~seed);
    DirectBuffer from = array ? new UnsafeBuffer(source) : direct(source);
    for (int each : lengths) {
      check(from, source, fromIndex, at, Math.floorMod(each, 70_000));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4200, 8192, 32_767, 32_768, 32_840, 32_900, 65_411, 65_536, 65_620, 70_000})
  void shouldWriteLinesOfLongPayloads(int length) {
    byte[] source = random(length);
    fill(1);
    for (int at = 0; at < 130; at += 1) {
      check(new UnsafeBuffer(source), source, at % 7, 100 + at, length);
    }

    assertThat(copy.copiedByLines()).isEqualTo(130);
  }

  @Test
  void shouldFindThePayloadInAPartOfAnArray() {
    byte[] source = random(3);
    byte[] part = new byte[SOURCE_BYTES - 1000];
    System.arraycopy(source, 1000, part, 0, part.length);

    check(new UnsafeBuffer(source, 1000, part.length), part, 10, 200, LONG);

    assertThat(copy.copiedByLines()).isEqualTo(1);
  }

  @Test
  void shouldLeaveShortPayloadsToTheJvm() {
    byte[] source = random(4);

    check(new UnsafeBuffer(source), source, 0, 200, WholeLineCopy.LEAST_BYTES);

    assertThat(copy.copiedByLines()).isZero();
  }

  @Test
  void shouldWriteNoLinesIntoAFileWithoutItsEnd() {
    byte[] source = random(5);
    file.putLong(END_MARK_AT, 0);

    check(new UnsafeBuffer(source), source, 0, 200, LONG);

    assertThat(copy.copiedByLines()).isZero();
  }

  /** One that compresses, and one that does both by turns. */
  @ParameterizedTest
  @ValueSource(ints = {1, 9})
  void shouldDoWithoutADeflaterThatChangesBytes(int level) {
    copy = copyBy(new Deflater(level, WholeLineCopy.RAW_BLOCKS));
    byte[] equal = new byte[SOURCE_BYTES];
    byte[] random = random(6);
    fill(7);

    check(new UnsafeBuffer(equal), equal, 0, 100, LONG);
    check(new UnsafeBuffer(random), random, 0, 100, LONG);
    check(new UnsafeBuffer(random), random, 0, 100, 3 * LONG);
    check(new UnsafeBuffer(equal), equal, 0, 100, 3 * LONG);

    assertThat(copy.copiedByLines()).isZero();
  }

  @Test
  void shouldDoWithoutADeflaterWithAFrame() {
    copy = copyBy(new Deflater(0, !WholeLineCopy.RAW_BLOCKS));
    byte[] source = random(8);

    check(new UnsafeBuffer(source), source, 0, 100, LONG);
    check(new UnsafeBuffer(source), source, 0, 100, 3 * LONG);

    assertThat(copy.copiedByLines()).isZero();
  }

  @Test
  void shouldRefuseWhatIsOutsideEitherPlace() {
    UnsafeBuffer source = new UnsafeBuffer(new byte[LONG]);
    UnsafeBuffer packet = new UnsafeBuffer(file, 0, LONG);

    assertThatThrownBy(() -> copy.copy(source, 1, packet, 0, LONG))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> copy.copy(source, 0, packet, 1, LONG))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  /** What a domain makes for itself. */
  @Test
  void shouldWriteLinesWithTheDeflaterOfThisJvm() {
    try (WholeLineCopy own = new WholeLineCopy(memory, END_MARK_AT, TimeSource.SYSTEM)) {
      byte[] source = random(9);

      own.copy(new UnsafeBuffer(source), 0, file, 64, LONG);

      assertThat(own.copiedByLines()).isEqualTo(1);
    }
  }
}
