package io.tagfabric.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobOptions;
import org.junit.jupiter.api.Test;

class RingTest {
  @Test
  void shouldGreetItselfWhenItIsAlone() {
    try (Job job = Job.open(JobSpec.alone(Profile.TCP), JobOptions.defaults())) {
      assertThat(Ring.run(job)).isZero();
    }
  }
}
