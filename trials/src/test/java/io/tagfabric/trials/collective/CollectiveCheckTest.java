package io.tagfabric.trials.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.reduce.ElementKind;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CollectiveCheckTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new CollectiveCheck())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @Test
  void shouldFindASampleOfAllCollectivesRightInEveryTier() {
    int code = run("--json");

    assertThat(err.toString()).isEmpty();
    assertThat(code).isZero();
    assertThat(out.toString().lines())
        .hasSize(CheckTier.values().length)
        .allMatch(line -> line.contains("\"right\": true"))
        .first()
        .asString()
        .startsWith("{\"tier\": \"cell\", \"calls\": ");
  }

  @Test
  void shouldFindEachDefectOfASchedule() {
    assertThat(run("--self-test")).as(err.toString()).isZero();
    assertThat(out.toString()).contains("4 defects of schedules, all found");
  }

  @Test
  void shouldSayWhichElementIsWrong() {
    CheckedCall call =
        new CheckedCall(
            Collective.ALLGATHER, ElementKind.INT64, null, 3, 0, 2, false, new SplittableRandom(1));

    assertThat(call.complaint())
        .isEqualTo("allgather members=3 root=0 kind=int64 count=2 at rank 0: element 0 is wrong");
  }
}
