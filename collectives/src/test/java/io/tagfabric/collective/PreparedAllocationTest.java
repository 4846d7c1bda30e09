package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.sun.management.ThreadMXBean;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.collective.run.SharedMemoryUse;
import io.tagfabric.link.Posted;
import io.tagfabric.progress.ProgressLoop;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a prepared collective allocates, counted by the JVM for the thread that does all. */
class PreparedAllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int STARTS = 10_000;

  /** Half of what the smallest object a start would be; timers make some now and then. */
  private static final int MOST_BYTES = STARTS * 8;

  /** How the members of a team reach one another. */
  enum Tier {
    CELL,
    SHM,
    MESSAGES;

    CollectiveSettings change(CollectiveSettings settings) {
      return switch (this) {
        case CELL -> settings;
        case SHM -> settings.withSharedCell(false).withSharedMemory(SharedMemoryUse.ALWAYS);
        case MESSAGES -> settings.withSharedCell(false).withSharedMemory(SharedMemoryUse.OFF);
      };
    }
  }

  private static ActorTestKit kit;

  @BeforeAll
  static void start(@TempDir Path directory) {
    kit = Crew.kitWithHostDirectory(directory);
  }

  @AfterAll
  static void stop() {
    kit.shutdownTestKit();
  }

  /** Also with members that start when the others' messages have come. */
  @ParameterizedTest
  @CsvSource({
    "CELL, 3, false",
    "SHM, 3, false",
    "MESSAGES, 3, false",
    "MESSAGES, 5, true",
    "MESSAGES, 8, true"
  })
  void shouldAllocateNothingWhenWarm(Tier tier, int size, boolean late) {
    try (Crew crew = new Crew(kit.system(), size, tier::change)) {
      Elements[] data = new Elements[size];
      PreparedCollective[] prepared = new PreparedCollective[size];
      long[] heard = new long[1];
      for (int rank = 0; rank < size; rank++) {
        data[rank] = Elements.of(1L);
        prepared[rank] =
            crew.team(rank)
                .prepare(CollectiveCall.allreduce(data[rank], data[rank], Reduction.MAX))
                .onEnd(() -> heard[0]++);
      }
      ProgressLoop loop = crew.domain.loop();
      startAll(prepared, loop, late, STARTS);

      long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
      startAll(prepared, loop, late, STARTS);
      long allocated = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;

      assertThat(allocated).as("bytes allocated by %s starts", STARTS).isLessThan(MOST_BYTES);
      assertThat(heard[0]).isEqualTo(2L * STARTS * size);
      assertThat(prepared[0].completion().tier()).isEqualTo(tier.name().toLowerCase(Locale.ROOT));
      assertThat(data[size - 1].longs()).containsExactly(1);
    }
  }

  private static void startAll(
      PreparedCollective[] prepared, ProgressLoop loop, boolean late, int times) {
    for (int time = 0; time < times; time++) {
      for (PreparedCollective each : prepared) {
        if (each.start() != Posted.POSTED) {
          throw new AssertionError("the start before has not ended");
        }
        while (late && loop.advance() > 0) {
          // What this member sends is there before the next starts.
        }
      }
      for (PreparedCollective each : prepared) {
        while (!each.isDone()) {
          loop.advance();
        }
      }
    }
  }
}
