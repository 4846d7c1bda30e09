package io.tagfabric.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import org.junit.jupiter.api.Test;

/** A packet is missing, later ones have come, and the sender is not there any more. */
class MissingForEverTest {
  private static final long MS = 1_000_000L;
  private static final long SECOND = 1_000 * MS;
  private static final Faults CUT = new Faults(1, 0, 0, 0);

  private final FlowPair pair = new FlowPair(SmallFlows.SETTINGS, false);

  /** A message of a is lost, its goodbye comes; from now on nobody hears b. */
  private void loseOneAndGo() {
    pair.a.out.faults(CUT);
    pair.a.send(10, CompletionLevel.INJECT);
    pair.a.flow.flush();
    pair.a.out.faults(Faults.NONE);
    pair.a.flow.end().sayGoodbye(FabricError.SHUTDOWN, FabricError.CANCELED, "closing");
    pair.a.flow.flush();
    pair.b.out.faults(CUT);
    pair.pass(MS);
    pair.a.out.faults(CUT);
    assertThat(pair.b.arrivals()).as("the message is missing").isZero();
    assertThat(pair.b.lost).as("the goodbye must wait for it").isZero();
  }

  @Test
  void shouldGiveUpASenderThatIsSilent() {
    loseOneAndGo();

    pair.until(() -> pair.b.lost == 1, MS, 60 * SECOND);

    assertThat(pair.b.lostError).isEqualTo(FabricError.TIMED_OUT);
    assertThat(pair.b.out.pings()).isPositive();
  }

  @Test
  void shouldHearTheGoodbyeWhenTheSenderIsStillThere() {
    loseOneAndGo();
    pair.faults(Faults.NONE);

    pair.until(() -> pair.b.lost == 1, MS, SECOND);

    assertThat(pair.b.arrivals()).isEqualTo(1);
    assertThat(pair.b.lostError).isEqualTo(FabricError.SHUTDOWN);
  }
}
