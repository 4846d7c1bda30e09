package io.tagfabric.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.Metric;
import io.tagfabric.bench.measure.Sample;
import io.tagfabric.bench.measure.Workload;
import io.tagfabric.cluster.host.RecordOutput;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.jvms.ClassArchive;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("jvms")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class JobContenderTest {
  private static final Cell LATENCY = new Cell(Metric.LATENCY, 8, 0);
  private static final Cell RATE = new Cell(Metric.RATE, 8, 64);
  private static final Workload WORKLOAD = new Workload(1, 1, 1, 1, List.of(LATENCY, RATE));

  /** Rank 0 measures as many cells as it is told, says what is wrong and fails. */
  static final class FailsLater {
    private FailsLater() {}

    public static void main(String[] args) {
      JobSpec spec = JobSpec.fromSettings(Settings.of(ConfigFactory.load()));
      if (spec.rank() != 0) {
        return;
      }
      if (args[0].equals("1")) {
        PrintWriter out =
            new PrintWriter(
                RecordOutput.of(System.out, spec.launcherPid()), true, Charset.defaultCharset());
        out.println(new Sample(Metric.LATENCY, 8, 2.5, 3, "").toLine());
      }
      System.err.println("out of breath");
      System.exit(3);
    }
  }

  @BeforeAll
  static void useArchive() {
    ClassArchive.use();
  }

  private static JobContender contender(int cells) {
    return new JobContender(
        "them",
        "who fail",
        Optional.empty(),
        JobContender.Plays.MESSAGES,
        0,
        Integer.MAX_VALUE,
        100,
        Profile.TCP,
        FailsLater.class.getName(),
        () -> List.of(Integer.toString(cells)));
  }

  @Test
  void shouldKeepWhatWasMeasuredBeforeAFailure() throws ContenderException {
    List<Sample> samples = contender(1).run(WORKLOAD);

    assertThat(samples).hasSize(2);
    assertThat(samples.get(0).isOf(LATENCY)).isTrue();
    assertThat(samples.get(0).value()).isEqualTo(2.5);
    assertThat(samples.get(1).isOf(RATE)).isTrue();
    assertThat(samples.get(1).leftOutBecause()).isEqualTo("out of breath");
  }

  @Test
  void shouldFailIfNothingWasMeasured() {
    assertThatThrownBy(() -> contender(0).run(WORKLOAD))
        .isInstanceOf(ContenderException.class)
        .hasMessage("out of breath");
  }
}
