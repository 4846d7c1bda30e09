package io.tagfabric.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.cluster.settings.RecordCopy;
import io.tagfabric.flow.FlowState;
import io.tagfabric.flow.window.FlowPace;
import io.tagfabric.flow.window.FlowSettings;
import org.junit.jupiter.api.Test;

/** When a peer that does not answer is asked again to set a flow up, if that is set. */
class HelloDistanceTest extends CoreSides {
  private FlowPace pace = FlowPace.DEFAULT;

  @Override
  FlowSettings settings() {
    // The first side is made before this object's fields are.
    return RecordCopy.with(SETTINGS, "pace", pace == null ? FlowPace.DEFAULT : pace);
  }

  private static FlowPace retries(long minMs, long maxMs) {
    return new FlowPace(1, 1, minMs * MS, maxMs * MS, 0);
  }

  private Side asks(FlowPace newPace) {
    pace = newPace;
    Side asker = new Side("asker", JOB, 1);
    asker.cut = true;
    connect(asker, asker.insert(a));
    return asker;
  }

  @Test
  void shouldDoubleFromTheShortestToTheLongest() {
    Side asker = asks(retries(5, 30));

    sleep(100);

    assertThat(asker.offeredMs).containsExactly(0L, 5L, 15L, 35L, 65L, 95L);
  }

  @Test
  void shouldAskEvenlyWhenBothAreTheSame() {
    Side asker = asks(retries(40, 40));

    sleep(130);

    assertThat(asker.offeredMs).containsExactly(0L, 40L, 80L, 120L);
  }

  @Test
  void shouldGiveUpInTimeAlthoughItWouldAskMuchLater() {
    Side asker = asks(retries(2 * TIMEOUT / MS, 3 * TIMEOUT / MS));

    sleep(TIMEOUT / MS - 1);
    assertThat(state(asker)).isEqualTo(FlowState.CONNECTING);
    sleep(1);

    assertThat(state(asker)).isEqualTo(FlowState.LOST);
    assertThat(asker.offeredMs).containsExactly(0L);
  }

  @Test
  void shouldRefuseDistancesThatCannotGrow() {
    assertThatThrownBy(() -> retries(31, 30))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "flow.connect-retry-min=31000000 ns must be above 0 and not above"
                + " flow.connect-retry-max=30000000 ns, lower the one or raise the other");
  }
}
