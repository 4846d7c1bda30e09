package io.tagfabric.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.jvms.ClassArchive;
import io.tagfabric.launch.JobLauncher;
import io.tagfabric.launch.LocalJob;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ranks in JVMs of their own that reach each other by UDP only. */
@Tag("jvms")
class AeronJobTest {
  private static final int RANKS = 3;

  @Test
  void shouldSendAroundTheRingWhenAeronIsTheOnlyProvider() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    LocalJob job =
        new LocalJob(
            RANKS,
            JobTestRank.class.getName(),
            List.of("ring"),
            Profile.TCP,
            List.of(
                "-XX:TieredStopAtLevel=1",
                "-Dlogback.configurationFile=rank-logback.xml",
                "-Dtagfabric.provider.use=aeron",
                "-Dtagfabric.path.lmc=1"),
            Optional.of(Duration.ofSeconds(100)),
            false);

    ClassArchive.use();
    Settings settings = Settings.of(ConfigFactory.load());
    int code = new JobLauncher(settings, System.getenv(), out, err).run(job);

    assertThat(code).as("%s", err).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("[0] got from 2", "[1] got from 0", "[2] got from 1");
  }
}
