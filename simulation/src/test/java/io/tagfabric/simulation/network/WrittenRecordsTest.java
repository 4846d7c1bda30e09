package io.tagfabric.simulation.network;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class WrittenRecordsTest {
  private final WrittenRecords records = new WrittenRecords();

  @Test
  void shouldTakeRecordsOfEachSenderInItsOrder() {
    records.writes(1, 7, 10);
    records.writes(2, 8, 20);
    records.writes(1, 9, 30);

    assertThatCode(
            () -> {
              records.arrived(2, 8, 20);
              records.arrived(1, 7, 10);
              records.arrived(1, 9, 30);
              records.gone(1, false);
            })
        .doesNotThrowAnyException();
  }

  @Test
  void shouldRefuseARecordThatComesTwiceOrTooEarly() {
    records.writes(1, 7, 10);
    records.writes(1, 9, 30);

    assertThatIllegalStateException().isThrownBy(() -> records.arrived(1, 9, 30));
    records.writes(2, 8, 20);
    records.arrived(2, 8, 20);
    assertThatIllegalStateException()
        .isThrownBy(() -> records.arrived(2, 8, 20))
        .withMessageContaining("written was null");
  }

  @Test
  void shouldLeaveTheLastRecordOfAKilledSenderOpen() {
    records.writes(1, 7, 10);
    records.gone(1, true);
    records.writes(1, 7, 10);

    assertThatIllegalStateException().isThrownBy(() -> records.gone(1, false));
    records.writes(1, 7, 10);
    records.writes(1, 9, 30);
    assertThatIllegalStateException().isThrownBy(() -> records.gone(1, true));
  }
}
