package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.collective.run.SharedMemoryUse;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Teams that are made and closed again and again leave nothing behind. */
class TeamEnduranceTest {
  private static final int THREADS = 16;
  private static final int DOMAINS = 4;
  private static final long HEAP_SLACK_BYTES = 4 << 20;

  @TempDir private static Path directory;
  private static ActorTestKit kit;

  /** How the members of a team reach one another. */
  enum Tier {
    CELL,
    MESSAGES,
    MEMORY;

    CollectiveSettings change(CollectiveSettings settings) {
      return switch (this) {
        case CELL -> settings;
        case MESSAGES -> settings.withSharedCell(false);
        case MEMORY -> settings.withSharedCell(false).withSharedMemory(SharedMemoryUse.ALWAYS);
      };
    }
  }

  /** What must be as before. */
  private record Held(
      List<Integer> numbers, List<Integer> posted, List<Integer> unexpected, List<Integer> flows) {
    static Held by(List<Endpoint> endpoints, List<Team> teams) throws Exception {
      List<Integer> posted = new ArrayList<>();
      List<Integer> unexpected = new ArrayList<>();
      List<Integer> flows = new ArrayList<>();
      for (Endpoint endpoint : endpoints) {
        var matcher = within(endpoint.futures().matcherState());
        posted.add(matcher.postedReceives());
        unexpected.add(matcher.unexpectedMessages());
        flows.add(within(endpoint.futures().flows()).flows().size());
      }
      List<Integer> numbers =
          teams.stream().map(team -> team.runner().members().numbers().inUse()).toList();
      return new Held(numbers, posted, unexpected, flows);
    }
  }

  @BeforeAll
  static void start() {
    kit = Crew.kitWithHostDirectory(directory);
  }

  @AfterAll
  static void stop() {
    kit.shutdownTestKit();
  }

  private static <T> T within(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  /**
   * What this process has open, by what it is, and how often. The JVM opens a jar when it first
   * needs a class of it, however long that takes, and keeps it; so jars do not count.
   */
  private static Map<String, Integer> openDescriptors() throws IOException {
    Map<String, Integer> open = new TreeMap<>();
    Path descriptors = Path.of("/proc/self/fd");
    if (!Files.exists(descriptors)) {
      return open;
    }
    List<Path> all;
    try (Stream<Path> found = Files.list(descriptors)) {
      all = found.toList();
    }
    for (Path each : all) {
      String what;
      try {
        what = Files.readSymbolicLink(each).toString();
      } catch (NoSuchFileException closedMeanwhile) {
        continue; // as that of the list itself is
      }
      if (!what.endsWith(".jar")) {
        // sockets, pipes and selectors have numbers, which are new with each
        open.merge(what.replaceFirst(":\\[\\d+]$", ""), 1, Integer::sum);
      }
    }
    return open;
  }

  /** Those that were not open before. */
  private static Map<String, Integer> opened(Map<String, Integer> before) throws IOException {
    Map<String, Integer> more = new TreeMap<>();
    openDescriptors()
        .forEach(
            (what, number) -> {
              int added = number - before.getOrDefault(what, 0);
              if (added > 0) {
                more.put(what, added);
              }
            });
    return more;
  }

  /** What another thread has open for a moment is closed soon; what is lost stays. */
  private static void assertNothingOpened(Map<String, Integer> before) throws IOException {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    Map<String, Integer> more = opened(before);
    while (!more.isEmpty() && System.nanoTime() - endNs < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      more = opened(before);
    }
    assertThat(more).as("descriptors more than before").isEmpty();
  }

  /** Files of teams that this process has mapped. */
  private static long mappings() throws IOException {
    Path maps = Path.of("/proc/self/maps");
    if (!Files.exists(maps)) {
      return 0;
    }
    return Files.readAllLines(maps).stream().filter(line -> line.contains("/team-")).count();
  }

  /**
   * What is reachable. The serial collector lets dead objects lie where moving the others would
   * cost more, and moves all with every fourth full collection only.
   */
  private static long heapBytes() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int time = 0; time < 5; time++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  @ParameterizedTest
  @EnumSource(Tier.class)
  void shouldKeepNothingOfTeamsThatWereSplitAndClosed(Tier tier) throws Exception {
    splitAndClose(tier, 200);
  }

  @ParameterizedTest
  @EnumSource(Tier.class)
  @Tag("exhaustive")
  @Timeout(600)
  void shouldKeepNothingOfTenThousandTeamsThatWereSplitAndClosed(Tier tier) throws Exception {
    splitAndClose(tier, 10_000);
  }

  private static void splitAndClose(Tier tier, int cycles) throws Exception {
    try (Crew crew = new Crew(kit.system(), 4, tier::change)) {
      for (int cycle = 0; cycle < 100; cycle++) {
        splitAndClose(crew, cycle);
      }
      Held held = Held.by(crew.endpoints, crew.teams);
      Map<String, Integer> descriptors = openDescriptors();
      long mappings = mappings();
      long heapBytes = heapBytes();

      for (int cycle = 0; cycle < cycles; cycle++) {
        splitAndClose(crew, cycle);
      }

      assertThat(Held.by(crew.endpoints, crew.teams)).isEqualTo(held);
      assertThat(held.unexpected).containsOnly(0);
      assertNothingOpened(descriptors);
      assertThat(mappings()).as("mapped files of teams").isEqualTo(mappings);
      assertThat(heapBytes() - heapBytes)
          .as("heap that %s cycles have added, bytes", cycles)
          .isLessThan(HEAP_SLACK_BYTES);
    }
  }

  private static void splitAndClose(Crew crew, int cycle) {
    List<Team> parts =
        crew.all(team -> team.split((team.rank() + cycle / 2) / 2 % 2, -team.rank()));
    List<CompletableFuture<long[]>> sums =
        parts.stream()
            .map(part -> part.allreduce(new long[] {1}, Reduction.SUM).toCompletableFuture())
            .toList();
    crew.settle();
    for (int rank = 0; rank < sums.size(); rank++) {
      assertThat(sums.get(rank)).isCompleted();
      assertThat(sums.get(rank).join()).containsExactly(parts.get(rank).size());
    }
    parts.forEach(Team::close);
    crew.settle();
  }

  @ParameterizedTest
  @EnumSource(Tier.class)
  void shouldMakeOverlappingTeamsOfManyThreads(Tier tier) throws Exception {
    makeOverlapping(tier, 10, () -> true);
  }

  @ParameterizedTest
  @EnumSource(Tier.class)
  @Tag("exhaustive")
  @Timeout(600)
  void shouldMakeOverlappingTeamsOfManyThreadsForHalfAMinute(Tier tier) throws Exception {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    makeOverlapping(tier, 100, () -> System.nanoTime() - endNs >= 0);
  }

  /** A thread is a member; it goes on until rank 0 has seen enough. */
  private static void makeOverlapping(Tier tier, int atLeast, BooleanSupplier isEnough)
      throws Exception {
    List<Domain> domains =
        IntStream.range(0, DOMAINS)
            .mapToObj(
                i ->
                    Fabric.get(kit.system())
                        .openDomain("endurance-" + tier + atLeast + i, ProgressMode.AUTO))
            .toList();
    List<Endpoint> endpoints =
        IntStream.range(0, THREADS)
            .mapToObj(i -> domains.get(i % DOMAINS).openEndpoint("endurance-" + tier + i))
            .toList();
    List<EndpointAddress> addresses = endpoints.stream().map(Endpoint::address).toList();
    CollectiveSettings settings =
        tier.change(CollectiveSettings.of(domains.get(0).fabric().settings()));
    List<Team> worlds = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      worlds.add(Team.open(domains.get(i % DOMAINS), endpoints.get(i), addresses, 3, settings));
    }
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<Integer>> rounds =
          worlds.stream()
              .map(world -> threads.submit(() -> rounds(world, atLeast, isEnough)))
              .toList();
      List<Integer> done = new ArrayList<>();
      for (Future<Integer> each : rounds) {
        done.add(each.get(300, TimeUnit.SECONDS));
      }
      assertThat(done).containsOnly(done.get(0));
      assertThat(done.get(0)).isGreaterThanOrEqualTo(atLeast);
      for (Team world : worlds) {
        assertThat(world.failure()).isNull();
      }
      Held held = Held.by(endpoints, worlds);
      assertThat(held.numbers).containsOnly(1);
      assertThat(held.unexpected).containsOnly(0);
    } finally {
      threads.shutdownNow();
      domains.forEach(domain -> domain.close(Duration.ZERO));
    }
  }

  private static int rounds(Team world, int atLeast, BooleanSupplier isEnough) throws Exception {
    int rank = world.rank();
    for (int round = 0; ; round++) {
      // the pairs with both neighbours at once, and a part of the whole beside them
      CompletionStage<Team> up = world.createFrom(pair(rank));
      CompletionStage<Team> down = world.createFrom(pair((rank + THREADS - 1) % THREADS));
      Team part = within(world.split((rank + round) % 3, rank));
      List<Team> teams = List.of(within(up), within(down), part);
      List<CompletionStage<long[]>> sums =
          teams.stream()
              .map(team -> team.allreduce(new long[] {1L << rank}, Reduction.SUM))
              .toList();
      for (int i = 0; i < teams.size(); i++) {
        Team team = teams.get(i);
        long[] sum = within(sums.get(i));
        long wanted = 0;
        for (int member = 0; member < team.size(); member++) {
          wanted |= 1L << world.translate(team, member);
        }
        assertThat(sum).as("sum of %s in round %s", team, round).containsExactly(wanted);
      }
      within(part.barrier());
      part.close();
      within(up).close();
      within(down).close();
      boolean last = rank == 0 && round + 1 >= atLeast && isEnough.getAsBoolean();
      long[] votes = within(world.allreduce(new long[] {last ? 1 : 0}, Reduction.MAX));
      if (votes[0] == 1) {
        within(world.barrier());
        return round + 1;
      }
    }
  }

  private static Ranks pair(int first) {
    return Ranks.of(first, (first + 1) % THREADS);
  }
}
