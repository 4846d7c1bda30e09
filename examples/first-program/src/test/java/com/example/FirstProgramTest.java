package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobOptions;
import org.junit.jupiter.api.Test;

class FirstProgramTest {
  // #test
  @Test
  void shouldRunAlone() {
    try (Job job = Job.open(JobSpec.alone(Profile.TCP), JobOptions.defaults())) {
      assertEquals(0, FirstProgram.run(job));
    }
  }
  // #test
}
