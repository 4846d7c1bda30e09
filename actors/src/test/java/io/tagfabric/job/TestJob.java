package io.tagfabric.job;

import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.jvms.TestPorts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/** Ranks of one job in this JVM, each with an ActorSystem of its own. */
final class TestJob implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Job> opened = new ArrayList<>();
  private final UUID key;
  private final int size;
  private final int seedPort;

  TestJob(int size) {
    this.key = UUID.randomUUID();
    this.size = size;
    this.seedPort = TestPorts.next();
  }

  /** A job whose ranks have met. */
  static TestJob met(int size) {
    TestJob job = new TestJob(size);
    List<CompletableFuture<Job>> starting = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      starting.add(job.open(rank));
    }
    starting.forEach(CompletableFuture::join);
    return job;
  }

  JobSpec spec(int rank) {
    return spec(key, rank);
  }

  JobSpec spec(UUID jobKey, int rank) {
    return new JobSpec(
        jobKey,
        rank,
        size,
        LOOPBACK,
        rank == 0 ? seedPort : 0,
        LOOPBACK,
        seedPort,
        0,
        Optional.empty(),
        Profile.TCP);
  }

  /** Begins to start a rank. */
  CompletableFuture<Job> open(int rank) {
    return open(spec(rank), UnaryOperator.identity());
  }

  CompletableFuture<Job> open(JobSpec spec, UnaryOperator<JobOptions> options) {
    return CompletableFuture.supplyAsync(
        () -> {
          Job job = Job.open(spec, options.apply(JobOptions.defaults()));
          synchronized (opened) {
            opened.add(job);
          }
          return job;
        },
        threads);
  }

  /** A rank that has started. */
  Job rank(int rank) {
    synchronized (opened) {
      return opened.stream().filter(job -> job.rank() == rank).findFirst().orElseThrow();
    }
  }

  /** Runs a step of a rank on a thread of its own. */
  CompletableFuture<Void> run(Runnable step) {
    return CompletableFuture.runAsync(step, threads);
  }

  @Override
  public void close() {
    List<CompletableFuture<Void>> closing;
    synchronized (opened) {
      closing = opened.stream().map(job -> run(job::close)).toList();
    }
    closing.forEach(CompletableFuture::join);
    threads.shutdown();
  }
}
