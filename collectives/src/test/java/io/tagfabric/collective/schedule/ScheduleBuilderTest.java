package io.tagfabric.collective.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.error.FabricException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScheduleBuilderTest {
  private static final Slice INPUT = Memory.INPUT.slice(0, 4);
  private static final Slice OUTPUT = Memory.OUTPUT.slice(0, 4);

  @Test
  void shouldBeginARoundWhenATransferFollowsALocalStep() {
    Schedule schedule =
        new ScheduleBuilder(0, 2).copy(INPUT, OUTPUT).send(1, OUTPUT).receive(1, INPUT).build();

    assertThat(schedule.rounds())
        .containsExactly(
            new Round(List.of(), List.of(), List.of(new Step.Copy(INPUT, OUTPUT))),
            new Round(
                List.of(new Step.Send(1, OUTPUT)), List.of(new Step.Receive(1, INPUT)), List.of()));
    assertThat(schedule.elementsSent()).isEqualTo(4);
    assertThat(schedule.messagesSent()).isEqualTo(1);
  }

  @Test
  void shouldLeaveOutWhatHasNoElementsButKeepSignals() {
    Slice empty = Memory.INPUT.slice(0, 0);

    Schedule schedule =
        new ScheduleBuilder(0, 2)
            .send(1, empty)
            .receive(1, empty)
            .copy(empty, Memory.OUTPUT.slice(0, 0))
            .copy(OUTPUT, OUTPUT)
            .signal(1)
            .build();

    assertThat(schedule.rounds()).hasSize(1);
    assertThat(schedule.rounds().get(0).sends()).hasSize(1);
    assertThat(schedule.rounds().get(0).locals()).isEmpty();
  }

  @Test
  void shouldGiveScratchMemoryOnlyOnce() {
    ScheduleBuilder builder = new ScheduleBuilder(0, 2);

    assertThat(builder.scratch(3)).isEqualTo(Memory.SCRATCH.slice(0, 3));
    assertThat(builder.scratch(2)).isEqualTo(Memory.SCRATCH.slice(3, 2));
    assertThat(builder.build().scratchLength()).isEqualTo(5);
  }

  @Test
  void shouldSayThatThereIsNoSuchMemory() {
    ScheduleBuilder builder = new ScheduleBuilder(0, 2);
    builder.scratch(1 << 30);

    assertThatThrownBy(() -> builder.scratch(1 << 30))
        .isInstanceOf(FabricException.class)
        .hasMessageStartingWith("the algorithm needs more than 2147483647 elements of its own");
    assertThatThrownBy(() -> Blocks.equal(4, 1 << 30))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "offset=1073741824 and count=1073741824 of block 1 end at 2147483648 > 2147483647"
                + " elements, use shorter blocks");
    assertThatThrownBy(() -> Blocks.at(new int[] {1 << 30}, new int[] {1 << 30}).extent())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("of block 0 end at 2147483648");
  }

  @Test
  void shouldRefuseWhatNoScheduleCanHave() {
    ScheduleBuilder builder = new ScheduleBuilder(1, 2);

    assertThatThrownBy(() -> builder.send(1, INPUT))
        .hasMessage("peer=1 is not another rank than rank=1 of size=2");
    assertThatThrownBy(() -> builder.copy(INPUT, Memory.OUTPUT.slice(0, 3)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ScheduleBuilder(2, 2)).hasMessage("rank=2 is outside 0..1");
    assertThatThrownBy(() -> INPUT.part(2, 3)).hasMessage("from=2 partLength=3 > length=4");
  }
}
