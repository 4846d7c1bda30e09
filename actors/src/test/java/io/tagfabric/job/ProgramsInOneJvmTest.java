package io.tagfabric.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.runtime.Environment;
import io.tagfabric.runtime.ProcessEnded;
import io.tagfabric.support.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Programs that run by {@link Job#run}, each in a process that is less than a JVM. */
class ProgramsInOneJvmTest {
  private static final int SIZE = 3;

  private final MemoryNodes nodes = new MemoryNodes();
  private final List<MemoryNodes.Node> places = new ArrayList<>();

  private List<Thread> run(JobProgram program) {
    UUID key = UUID.randomUUID();
    List<Thread> mains = new ArrayList<>();
    for (int rank = 0; rank < SIZE; rank++) {
      JobSpec spec =
          new JobSpec(
              key, rank, SIZE, "host-" + rank, 1, "host-0", 1, 0, Optional.empty(), Profile.TCP);
      places.add(nodes.add(spec, 100 + rank));
    }
    for (MemoryNodes.Node place : places) {
      mains.add(
          Environment.within(
              place,
              () -> place.threads().start("main", () -> Job.run(options(), arguments(), program))));
    }
    return mains;
  }

  private static String[] arguments() {
    return new String[] {"-x"};
  }

  private static JobOptions options() {
    return JobOptions.defaults()
        .withApplication(ConfigFactory.parseString("tagfabric.provider.use = [local]"));
  }

  private void awaitEnds(List<Thread> mains) {
    for (Thread main : mains) {
      Await.until("the program's thread has ended", () -> !main.isAlive());
    }
  }

  @Test
  void shouldEndEachProcessWhenItsProgramReturns() {
    List<Thread> mains =
        run(
            job -> {
              assertThat(job.arguments()).containsExactly("-x");
              job.barrier();
              return 0;
            });

    for (MemoryNodes.Node place : places) {
      assertThat(Await.get(place.process().ended())).as("%s", place.process().said()).isZero();
      assertThat(place.process().said()).isEmpty();
    }
    awaitEnds(mains);
  }

  @Test
  void shouldEndAllProcessesWithTheCodeOfOne() {
    List<Thread> mains =
        run(
            job -> {
              job.barrier();
              if (job.rank() == 1) {
                return 9;
              }
              job.fabric().environment().threads().join(new CompletableFuture<>());
              return 0;
            });

    for (MemoryNodes.Node place : places) {
      assertThat(Await.get(place.process().ended())).as("%s", place.process().said()).isEqualTo(9);
    }
    awaitEnds(mains);
  }

  @Test
  void shouldTakeTheEndOfTheProcessForNoFailureOfTheProgram() {
    List<Thread> mains =
        run(
            job -> {
              job.barrier();
              if (job.rank() == 2) {
                job.fabric().environment().process().exit(4);
              }
              job.fabric().environment().threads().join(new CompletableFuture<>());
              return 0;
            });

    assertThat(Await.get(places.get(2).process().ended())).isEqualTo(4);
    for (MemoryNodes.Node place : places) {
      Await.get(place.process().ended());
      assertThat(place.process().said())
          .noneMatch(line -> line.contains(ProcessEnded.class.getSimpleName()));
    }
    awaitEnds(mains);
  }

  @Test
  void shouldSayOnTheProcessWhyAProgramFailed() {
    List<Thread> mains =
        run(
            job -> {
              job.barrier();
              if (job.rank() == 0) {
                throw new IllegalStateException("on purpose");
              }
              job.fabric().environment().threads().join(new CompletableFuture<>());
              return 0;
            });

    for (MemoryNodes.Node place : places) {
      assertThat(Await.get(place.process().ended())).isEqualTo(1);
    }
    assertThat(places.get(0).process().said().get(0))
        .isEqualTo("rank 0: java.lang.IllegalStateException: on purpose");
    assertThat(places.get(1).process().said()).isEmpty();
    awaitEnds(mains);
  }
}
