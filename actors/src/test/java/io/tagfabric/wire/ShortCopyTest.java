package io.tagfabric.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.agrona.concurrent.UnsafeBuffer;

class ShortCopyTest {
  @Property(tries = 300)
  void shouldCopyTheseBytesAndNoOthers(
      @ForAll @IntRange(max = 200) int length,
      @ForAll @IntRange(max = 20) int from,
      @ForAll @IntRange(max = 20) int to,
      @ForAll long seed) {
    byte[] source = new byte[256];
    byte[] target = new byte[256];
    new Random(seed).nextBytes(source);
    new Random(~seed).nextBytes(target);
    byte[] expected = target.clone();
    System.arraycopy(source, from, expected, to, length);

    ShortCopy.copy(new UnsafeBuffer(source), from, new UnsafeBuffer(target), to, length);

    assertThat(target).isEqualTo(expected);
  }
}
