package io.tagfabric.demos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.provider.Provider;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class PingPongOptionsTest {
  private static final String NAMES =
      String.join(", ", Provider.installed().stream().map(Provider::name).toList());

  private final PingPongOptions options = new PingPongOptions();

  private PingPongOptions parse(String line) {
    new CommandLine(options).parseArgs(line.isEmpty() ? new String[0] : line.split(" "));
    return options;
  }

  @Test
  void shouldPlayTheSizesOfFiPingpongWhenNoneAreGiven() {
    assertThat(parse("").sizes).containsExactly(64, 256, 1024, 4096, 65536, 1 << 20);
  }

  @Test
  void shouldHandItsOptionsToTheRanks() {
    parse("--sizes 8,64k --iters 5 --warm-up 7 --provider artery --progress manual --check --json");
    PingPongOptions taken = new PingPongOptions();

    new CommandLine(taken).parseArgs(options.arguments().toArray(String[]::new));

    assertThat(taken).usingRecursiveComparison().ignoringFields("unnumbered").isEqualTo(options);
    assertThat(taken.isUnnumbered()).isTrue();
  }

  @Test
  void shouldSendWhoWantsLocalRanksToTheCommand() {
    assertThat(parse("--provider local").complaint(2))
        .isEqualTo(
            "provider local reaches only its own JVM and the ranks are two; run"
                + " `tagfabric pingpong --provider local`");
  }

  @Test
  void shouldWantTwoRanks() {
    assertThat(parse("").complaint(2)).isNull();
    assertThat(parse("").complaint(3))
        .isEqualTo("takes 2 ranks, not 3; run `tagfabric run -n 2 pingpong`");
  }

  @Test
  void shouldNameEveryProviderInItsHelp() {
    assertThat(new CommandLine(options).getUsageMessage().replaceAll("\\s+", " "))
        .contains("How messages travel: " + NAMES + " (default:");
  }

  @Test
  void shouldRefuseWhatNoOptionMeans() {
    assertThat(parse("--iters -1").complaint()).startsWith("--iters=-1 < 0");
    assertThat(parse("--warm-up -1").complaint()).startsWith("--warm-up=-1 < 0");
    assertThat(parse("--warm-up 0").complaint()).startsWith("--warm-up=0 needs --iters");
    assertThat(parse("--warm-up 0 --iters 1").complaint()).isNull();
    assertThatThrownBy(() -> parse("--provider mail"))
        .hasMessageContaining("'mail' is no provider, there are " + NAMES);
    assertThatThrownBy(() -> parse("--progress fast"))
        .hasMessageContaining("'fast' is neither auto nor manual");
    assertThatThrownBy(() -> parse("--sizes 8q")).hasMessageContaining("'8q' is no size");
  }
}
