package io.tagfabric.bench.ours;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.progress.ThreadUse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class OptionsTest {
  private static <T extends BenchOptions> T parsed(T options, String... words) {
    new CommandLine(options).parseArgs(words);
    return options;
  }

  private static <T extends BenchOptions> T handedOn(T given, T fresh) {
    return parsed(fresh, given.arguments().toArray(String[]::new));
  }

  @Test
  void shouldHandOptionsOfAStreamToTheRanks() {
    StreamOptions given =
        parsed(
            new StreamOptions(64),
            ("--provider artery --sizes 8,1k --progress auto --runs 7 --iters 9 --vs akka"
                    + " --profile tcp --window 32 --json")
                .split(" "));

    StreamOptions taken = handedOn(given, new StreamOptions(64));

    assertThat(taken).usingRecursiveComparison().isEqualTo(given);
    assertThat(taken.window()).isEqualTo(32);
    assertThat(taken.sizes).containsExactly(8, 1024);
  }

  @Test
  void shouldHandTheUsualWindowToTheRanks() {
    StreamOptions given = parsed(new StreamOptions(64), "--provider", "artery");

    StreamOptions taken = handedOn(given, new StreamOptions(1000));

    assertThat(taken.window()).isEqualTo(64);
  }

  @Test
  void shouldHandDepthsToTheRanks() {
    MatchingOptions given = parsed(new MatchingOptions(), "--depth", "5,70,6", "--runs", "2");

    MatchingOptions taken = handedOn(given, new MatchingOptions());

    assertThat(taken.depths()).isEqualTo(List.of(5, 70, 6));
    assertThat(taken.deepest()).isEqualTo(70);
    assertThat(taken.runs()).isEqualTo(2);
  }

  @Test
  void shouldHandOptionsOfActorsToTheRanks() {
    ActorOptions given =
        parsed(
            new ActorOptions(),
            ("--provider shm --vs akka --way loop,thread --bytes 8 --window 10 --run-ms 3 --runs 2"
                    + " --json")
                .split(" "));

    ActorOptions taken = handedOn(given, new ActorOptions());

    assertThat(given.complaint()).isNull();
    assertThat(taken).usingRecursiveComparison().isEqualTo(given);
    assertThat(taken.ways).containsExactly(ActorWay.LOOP, ActorWay.THREAD);
    assertThat(taken.window).isEqualTo(10);
  }

  @Test
  void shouldHandOptionsOfPeersToTheRanks() {
    PeersOptions given =
        parsed(new PeersOptions(), "--count=2,30", "--run-ms=3", "--runs=2", "--domains");
    given.betweenRanks();

    PeersOptions taken = handedOn(given, new PeersOptions());

    assertThat(given.complaint()).isNull();
    assertThat(taken).usingRecursiveComparison().isEqualTo(given);
    assertThat(taken.provider).isEqualTo(Providers.SHM);
    assertThat(taken.counts).containsExactly(2, 30);
    assertThat(taken.domains).isTrue();
  }

  @Test
  void shouldHandOptionsOfPairsToTheRanks() {
    PairsOptions given =
        parsed(new PairsOptions(), "--bytes=64", "--window=10", "--run-ms=3", "--runs=2");
    given.betweenRanks();

    PairsOptions taken = handedOn(given, new PairsOptions());

    assertThat(given.complaint()).isNull();
    assertThat(taken).usingRecursiveComparison().isEqualTo(given);
    assertThat(taken.provider).isEqualTo(Providers.SHM);
    assertThat(taken.window()).isEqualTo(10);
  }

  @Test
  void shouldHandOptionsOfWakeUpsToTheRanks() {
    WakeOptions given =
        parsed(new WakeOptions(), "--gap=2500us", "--count=20", "--thread-use=one", "--vs=c");
    given.betweenRanks();
    given.program(Path.of("/somewhere/wake_peer"));

    WakeOptions taken = handedOn(given, new WakeOptions());

    assertThat(given.complaint()).isNull();
    assertThat(taken.gap).isEqualTo(Duration.ofNanos(2_500_000));
    assertThat(taken.count).isEqualTo(20);
    assertThat(taken.program).isEqualTo(given.program);
    assertThat(taken.provider).isEqualTo(Providers.SHM);
    assertThat(taken.threadUse).isEqualTo(ThreadUse.ONE);
  }

  @Test
  void shouldHandOptionsOfActiveMessagesToTheRanks() {
    AmOptions given =
        parsed(new AmOptions(), "--provider=shm", "--sizes=0,1k", "--run-ms=3", "--runs=2");

    AmOptions taken = handedOn(given, new AmOptions());

    assertThat(given.complaint()).isNull();
    assertThat(taken).usingRecursiveComparison().isEqualTo(given);
    assertThat(taken.sizes).containsExactly(0, 1024);
  }

  @Test
  void shouldRunMoreOftenAgainstAPeer() {
    assertThat(parsed(new MessageOptions()).runs()).isEqualTo(5);
    MessageOptions given = parsed(new MessageOptions(), "--provider=artery", "--vs=akka");
    assertThat(given.runs()).isEqualTo(9);
    assertThat(handedOn(given, new MessageOptions()).runs()).isEqualTo(9);
  }

  @Test
  void shouldHandTheKindOfMemoryToTheRanks() {
    StreamOptions given = parsed(new StreamOptions(64), "--provider=shm", "--memory=fabric");

    assertThat(given.complaint()).isNull();
    assertThat(handedOn(given, new StreamOptions(64)).memory).isEqualTo(BenchOptions.Memory.FABRIC);
    assertThat(parsed(new StreamOptions(64)).memory).isEqualTo(BenchOptions.Memory.HEAP);
  }

  @Test
  void shouldRefuseFabricMemoryWhereNobodySharesIt() {
    StreamOptions options = parsed(new StreamOptions(64), "--memory=fabric");

    assertThat(options.complaint()).isEqualTo("--memory=fabric is for --provider shm, not local");
  }

  @Test
  void shouldRefuseAProviderThatIsNotThere() {
    MessageOptions options = parsed(new MessageOptions(), "--provider", "carrier-pigeon");

    assertThat(options.complaint())
        .isEqualTo(
            "--provider=carrier-pigeon is missing, this build has "
                + String.join(", ", Providers.names()));
  }
}
