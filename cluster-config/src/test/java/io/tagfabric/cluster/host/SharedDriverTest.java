package io.tagfabric.cluster.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedDriverTest {
  @TempDir Path place;

  @Test
  void shouldGiveARankOfItsOwnDriverADirectoryThatGoesWithIt() throws Exception {
    HostDirectory host = HostDirectory.below(place);
    JobSpec job = JobSpec.alone(Profile.AERON);

    SharedDriver driver = SharedDriver.find(job, host);

    assertThat(driver.equip(job)).isEqualTo(job);
    assertThat(driver.akkaValues()).hasSize(1);
    Path buffers = Path.of(driver.akkaValues().get("akka.remote.artery.advanced.aeron.aeron-dir"));
    assertThat(buffers.getParent().getParent()).isEqualTo(host.jobs());
    Files.createDirectory(buffers);
    driver.close();
    assertThat(place).isEmptyDirectory();
  }

  @Test
  void shouldMakeNothingForARankThatNeedsNone() {
    HostDirectory host = HostDirectory.below(place);
    JobSpec tcp = JobSpec.alone(Profile.TCP);
    JobSpec told = JobSpec.alone(Profile.AERON).withAeronDirectory(place.resolve("aeron"));

    assertThat(SharedDriver.find(tcp, host).akkaValues()).isEmpty();
    assertThat(SharedDriver.ofRank(told, host).akkaValues()).isEmpty();
    assertThat(place).isEmptyDirectory();
  }
}
