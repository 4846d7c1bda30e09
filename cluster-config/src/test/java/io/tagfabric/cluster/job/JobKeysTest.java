package io.tagfabric.cluster.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class JobKeysTest {
  private static final UUID KEY = new UUID(0x0123_4567_89ab_cdefL, 0xfedc_ba98_7654_3210L);

  @Test
  void shouldFindEqualKeysEqual() {
    assertThat(JobKeys.areEqual(KEY, UUID.fromString(KEY.toString()))).isTrue();
  }

  @Test
  void shouldFindEachBitThatDiffers() {
    for (int bit = 0; bit < Long.SIZE; bit++) {
      long high = KEY.getMostSignificantBits() ^ (1L << bit);
      long low = KEY.getLeastSignificantBits() ^ (1L << bit);
      assertThat(JobKeys.areEqual(KEY, new UUID(high, KEY.getLeastSignificantBits()))).isFalse();
      assertThat(JobKeys.areEqual(KEY, new UUID(KEY.getMostSignificantBits(), low))).isFalse();
    }
  }
}
