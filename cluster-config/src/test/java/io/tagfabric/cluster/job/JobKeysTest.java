package io.tagfabric.cluster.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.settings.Settings;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class JobKeysTest {
  private static final UUID KEY = new UUID(0x0123_4567_89ab_cdefL, 0xfedc_ba98_7654_3210L);

  @Test
  void shouldFindEqualKeysEqual() {
    assertThat(JobKeys.areEqual(KEY, UUID.fromString(KEY.toString()))).isTrue();
  }

  @Test
  void shouldNameEachKeyByAnIdThatDoesNotTellIt() {
    UUID other = new UUID(1, 2);

    List<String> ids = JobKeys.ids(List.of(KEY, other), 1);

    assertThat(ids).hasSize(2).doesNotHaveDuplicates().allMatch(id -> id.matches("[0-9a-f]{32}"));
    assertThat(JobKeys.ids(List.of(other, KEY), 1)).containsExactly(ids.get(1), ids.get(0));
    assertThat(JobKeys.ids(List.of(KEY), 2)).doesNotContainAnyElementsOf(ids);
    String digits = KEY.toString().replace("-", "");
    assertThat(ids.get(0)).doesNotContain(digits.substring(0, 16), digits.substring(16));
  }

  @Test
  void shouldReadTheKeysOfSettings() {
    assertThat(JobKeys.of(Settings.of(ConfigFactory.load()))).containsExactly(JobKeys.NO_JOB);
    UUID other = new UUID(1, 2);
    assertThat(
            JobKeys.of(
                Settings.of(
                    ConfigFactory.parseString("tagfabric.job.key = \"" + KEY + "," + other + "\"")
                        .withFallback(ConfigFactory.load()))))
        .containsExactly(KEY, other);
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
