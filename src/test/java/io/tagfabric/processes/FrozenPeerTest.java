package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cli.Tagfabric;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls that must leave now, while their peer is stopped. */
@Tag("jvms")
class FrozenPeerTest {
  private static final int CALLS = 10;

  @TempDir Path directory;

  @Test
  void shouldRefuseEachCallWhenAPeerIsStoppedAndCreditIsSpent() {
    run("shm");
  }

  @Tag("exhaustive")
  @Test
  void shouldDoSoOverAeron() {
    run("aeron");
  }

  @Tag("exhaustive")
  @Test
  void shouldDoSoOverArtery() {
    run("artery");
  }

  private void run(String provider) {
    String classes = FrozenPeer.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    Map<String, String> settings =
        Map.of(
            "TAGFABRIC_PROVIDER_USE", provider,
            "TAGFABRIC_FLOW_MESSAGE_CREDITS", "6",
            "TAGFABRIC_AM_CREDITS", "6");
    try (Command command =
        Command.start(
            directory,
            settings,
            Tagfabric.class,
            "run",
            "-n",
            "2",
            "-cp",
            Path.of(classes).toString(),
            FrozenPeer.class.getName())) {
      Command.Result result = command.end();

      String out = result.out();
      assertThat(result.code()).as(out + result.err()).isZero();
      assertThat(out).contains("waited 0\n");
      assertThat(line(out, "before")).doesNotContain("request-short=0", "tagged=0");
      assertThat(line(out, "after").split("=0", -1)).as(out).hasSize(CALLS + 1);
      Matcher active = Pattern.compile("active (\\d+) of (\\d+), replies (\\d+)").matcher(out);
      assertThat(active.find()).as(out).isTrue();
      assertThat(active.group(1)).as(out).isEqualTo(active.group(2)).isEqualTo(active.group(3));
      Matcher tagged = Pattern.compile("tagged (\\d+) of (\\d+)").matcher(out);
      assertThat(tagged.find()).as(out).isTrue();
      assertThat(tagged.group(1)).as(out).isEqualTo(tagged.group(2));
      assertThat(out).contains("marked 0, region 0");
    }
  }

  private static String line(String out, String begin) {
    return out.lines().filter(line -> line.contains(begin + " {")).findFirst().orElse("");
  }
}
