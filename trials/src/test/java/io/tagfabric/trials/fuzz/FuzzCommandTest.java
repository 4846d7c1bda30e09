package io.tagfabric.trials.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.bench.ours.Providers;
import io.tagfabric.trials.fuzz.Violation.Promise;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class FuzzCommandTest {
  private static final String DIRECTORY = "tagfabric.launch.directory";

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void useOwnDirectory() {
    System.setProperty(DIRECTORY, directory.toString());
    ConfigFactory.invalidateCaches();
  }

  @AfterEach
  void useTheUsualDirectory() {
    System.clearProperty(DIRECTORY);
    ConfigFactory.invalidateCaches();
  }

  private int execute(String line) {
    return new CommandLine(new FuzzCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(line.split(" "));
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("tagfabric-") || name.startsWith("fuzz-"))
        .toList();
  }

  private void assertNothingIsLeft() throws IOException {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!threads().isEmpty() && System.nanoTime() - deadlineNs < 0) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(threads()).isEmpty();
    try (Stream<Path> files = Files.walk(directory)) {
      assertThat(files.filter(Files::isRegularFile)).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"local, tcp, 5", "shm, tcp, 5", "tcp, tcp, 5", "tcp, tls, 8"})
  void shouldFindNothingWrongAndLeaveNothing(String provider, String profile, int seconds)
      throws IOException {
    String line = "--provider %s --profile %s --seconds %d --seed 7 --json";
    int code = execute(line.formatted(provider, profile, seconds));

    assertThat(code).as(err.toString()).isZero();
    Config row = ConfigFactory.parseString(out.toString());
    assertThat(row.getInt("violations")).isZero();
    assertThat(row.getStringList("providers")).containsExactly(provider);
    // How many there are in these seconds says how busy the machine is.
    assertThat(row.getInt("sent")).isPositive();
    assertThat(row.getDouble("reached_percent")).isBetween(10.0, 95.0);
    for (String count :
        List.of("strangers", "malformed", "broken_rules", "attackers", "friend_round_trips")) {
      assertThat(row.getInt(count)).as(count).isPositive();
      assertThat(row.getInt(provider + "_" + count)).isEqualTo(row.getInt(count));
    }
    for (String count : List.of("dials", "dials_cut_off", "records")) {
      assertThat(row.getInt(count) > 0).as(count).isEqualTo(provider.equals("tcp"));
    }
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--seconds 0 | --seconds=0 is not within 1 to 604800",
        "--provider local,none | --provider=none is missing, this build has PROVIDERS",
        "--provider shm --provider shm | --provider=shm,shm names one twice",
        "--profile tsl | --profile=tsl is neither tcp nor tls",
        "--provider shm --profile tls | --profile=tls attacks TLS by hand, which --provider tcp"
            + " alone has, got --provider=shm",
        "--seed x | Invalid value for option '--seed': 'x' is not a long",
      })
  void shouldSayOneSentenceWhenUsedWrongly(String line, String sentence) {
    assertThat(execute(line)).isEqualTo(2);
    assertThat(err.toString().lines().findFirst())
        .contains(sentence.replace("PROVIDERS", String.join(", ", Providers.names())));
  }

  @Test
  void shouldFitAScreenOf80ColumnsWhenAskedForHelp() {
    String help = new CommandLine(new FuzzCommand()).getUsageMessage();

    assertThat(help.lines()).allMatch(line -> line.length() <= 80);
    assertThat(help).contains("--self-test");
  }

  @Test
  void shouldEndWithOneAndSayHowToRepeatWhenAPromiseIsBroken() {
    FuzzOptions options = new FuzzOptions();
    new CommandLine(options).parseArgs("--seed", "42", "--provider", "shm,aeron");
    FuzzCounts counts = new FuzzCounts();
    counts.sent = 1234;
    Violation violation = new Violation(Promise.BUFFER, "a byte was written");
    FuzzReport report = new FuzzReport(options, new PrintWriter(out), new PrintWriter(err));
    report.add(new FuzzReport.Result("local", new FuzzCounts(), null, 1));
    report.add(new FuzzReport.Result("shm", counts, violation, 1));

    assertThat(report.end()).isEqualTo(1);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines(
            "fuzz: provider=shm packet=1234: a byte was written, repeat with --provider shm --seed"
                + " 42");
    assertThat(out.toString().lines().toList())
        .hasSize(3)
        .satisfies(
            lines -> {
              assertThat(lines.get(0)).startsWith("provider  sent").endsWith("violations");
              assertThat(lines.get(2)).startsWith("shm       1234").endsWith("1");
            });
  }
}
