package io.tagfabric.jvms;

import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.endpoint.EndpointFutures;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobOptions;
import io.tagfabric.tag.TagSelector;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Two ranks in one JVM that meet, talk and part: loads what a rank loads. */
final class ClassArchiveTraining {
  private static final String LOOPBACK = "127.0.0.1";

  private ClassArchiveTraining() {}

  public static void main(String[] args) {
    UUID key = UUID.randomUUID();
    int port = TestPorts.next();
    CompletableFuture<Void> one = CompletableFuture.runAsync(() -> takePart(key, 1, port));
    takePart(key, 0, port);
    one.join();
    System.exit(0);
  }

  private static void takePart(UUID key, int rank, int seedPort) {
    int port = rank == 0 ? seedPort : 0;
    JobSpec spec =
        new JobSpec(
            key, rank, 2, LOOPBACK, port, LOOPBACK, seedPort, 0, Optional.empty(), Profile.TCP);
    try (Job job = Job.open(spec, JobOptions.defaults())) {
      int other = 1 - rank;
      EndpointFutures endpoint = job.endpoint().futures();
      CompletionStage<?> sent = endpoint.sendTagged(job.peer(other), new byte[8], 1);
      TagSelector wanted = TagSelector.exact(1).from(job.peer(other));
      endpoint.receiveTagged(wanted).toCompletableFuture().join();
      sent.toCompletableFuture().join();
      job.barrier();
    }
  }
}
