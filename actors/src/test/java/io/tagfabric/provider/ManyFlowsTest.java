package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Endpoints in four domains of a process that all send to all before anything is read. */
class ManyFlowsTest {
  private static final int DOMAINS = 4;
  private static final int BYTES = 8;
  private static final long TAG = 7;

  @ParameterizedTest
  @CsvSource({
    "local, MANUAL",
    "shm, MANUAL",
    "shm, AUTO",
    "artery, AUTO",
    "aeron, MANUAL",
    "aeron, AUTO"
  })
  void shouldSetAllUpAtOnce(String provider, ProgressMode mode) {
    meet(provider, mode, 25);
  }

  @Tag("exhaustive")
  @ParameterizedTest
  @CsvSource({
    "local, MANUAL, 100",
    "local, AUTO, 100",
    "shm, MANUAL, 100",
    "shm, AUTO, 100",
    "artery, MANUAL, 100",
    "artery, AUTO, 100",
    "aeron, MANUAL, 50",
    "aeron, AUTO, 50",
  })
  void shouldSetTenThousandUpAtOnce(String provider, ProgressMode mode, int endpoints) {
    long cpuNs = meet(provider, mode, endpoints);
    System.out.println(provider + " " + mode + ": CPU ms: " + cpuNs / 1_000_000);
  }

  /** The CPU time of the process while they meet. */
  private static long meet(String provider, ProgressMode mode, int count) {
    ActorSystem<Void> system = ContractSystems.start(provider, "many-flows", "");
    List<Domain> homes = new ArrayList<>();
    try {
      for (int i = 0; i < DOMAINS; i++) {
        homes.add(Fabric.get(system).openDomain("home-" + i, mode));
      }
      List<Side> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Domain home = homes.get(i % DOMAINS);
        all.add(new Side(home, "all-" + i, 2 * count, home.endpointDefaults()));
      }
      return meet(all);
    } finally {
      homes.forEach(home -> home.close(Duration.ZERO));
      ContractSystems.stop(List.of(system));
    }
  }

  private static long meet(List<Side> all) {
    int count = all.size();
    long cpuNs = cpuNs();
    for (Side from : all) {
      for (Side to : all) {
        from.post(BYTES, TAG);
        from.send(from.indexOf(to), new byte[BYTES], TAG, CompletionLevel.DELIVERY);
      }
    }
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(100);
    while (!all.stream().allMatch(each -> each.hasEnded(count))) {
      assertThat(System.nanoTime() - deadlineNs)
          .as("%s sent, %s received", ended(all, true), ended(all, false))
          .isNegative();
      all.forEach(Side::poll);
      Thread.yield();
    }
    for (Side side : all) {
      assertThat(side.sent).hasSize(count).allMatch(each -> each instanceof Completion.Sent);
      assertThat(side.received)
          .hasSize(count)
          .allMatch(each -> each instanceof Completion.Received);
    }
    return cpuNs() - cpuNs;
  }

  private static int ended(List<Side> all, boolean sends) {
    return all.stream().mapToInt(each -> (sends ? each.sent : each.received).size()).sum();
  }

  private static long cpuNs() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : 0;
  }
}
