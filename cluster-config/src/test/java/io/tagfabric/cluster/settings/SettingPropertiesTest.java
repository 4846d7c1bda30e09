package io.tagfabric.cluster.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigValueFactory;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class SettingPropertiesTest {
  private static final Setting<Duration> DURATION =
      Setting.duration("d", Duration.ZERO, Duration.ofDays(400));
  private static final Setting<Long> BYTES = Setting.bytes("b", 0, Long.MAX_VALUE);

  @Property
  void shouldReadTheDurationItWrote(@ForAll @LongRange(min = 0, max = 1L << 54) long nanos) {
    Duration value = Duration.ofNanos(nanos);

    assertThat(DURATION.parse(ConfigValueFactory.fromAnyRef(DURATION.write(value))))
        .isEqualTo(value);
  }

  @Property
  void shouldReadTheSizeItWrote(@ForAll @LongRange(min = 0) long bytes) {
    assertThat(BYTES.parse(ConfigValueFactory.fromAnyRef(BYTES.write(bytes)))).isEqualTo(bytes);
  }

  @Property
  void shouldReadTheDoubledSizeItWrote(@ForAll @LongRange(min = 0, max = 62) long power) {
    assertThat(BYTES.parse(ConfigValueFactory.fromAnyRef(BYTES.write(1L << power))))
        .isEqualTo(1L << power);
  }
}
