package io.tagfabric.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.job.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TagfabricTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "run -n 0 count | tagfabric run: invalid value for option '--ranks': '0' is not a number of"
            + " ranks, write for example -n 4",
        "run -n x count | tagfabric run: invalid value for option '--ranks': 'x' is not a number of"
            + " ranks, write for example -n 4",
        "run -n 65 count | tagfabric: ranks=65 > tagfabric.launch.max-ranks=64, start fewer or"
            + " raise it by TAGFABRIC_LAUNCH_MAX_RANKS",
        "run -n 2 cuont | tagfabric: unknown program 'cuont', did you mean count?"
            + " `tagfabric programs` lists them",
        "run -n 2 no.such.Class | tagfabric: class no.such.Class is not on the class path, check"
            + " the name; programs: `tagfabric programs` lists them",
        "run -n 2 java.lang.String | tagfabric: class java.lang.String has no `public static void"
            + " main(String[] args)`, add one",
        "run -n 2 --profile udp count | tagfabric run: invalid value for option '--profile': 'udp'"
            + " is no profile, choose aeron, tcp or tls",
        "run -n 2 --timeout 3x count | tagfabric run: invalid value for option '--timeout': '3x' is"
            + " not a duration, write for example 30s, 500ms, 2m or 1h",
        "run -n 1 --bogus count | tagfabric run: unknown option: '--bogus'",
        "rnu | tagfabric: unknown command 'rnu', did you mean run?",
      })
  void shouldSayOneSentenceWhenUsedWrongly(String line, String sentence) {
    int code = execute(line.split(" ", -1));

    assertThat(code).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).startsWith(sentence + System.lineSeparator());
    assertThat(err.toString()).doesNotContain("\tat ");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void shouldShowHelpWhenNoCommandIsGiven() {
    assertThat(execute()).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("no command given").contains("Usage: tagfabric");
  }

  @Test
  void shouldListCommandsOfModulesWithoutLoadingThemWhenAskedForHelp() {
    assertThat(execute("--help")).isZero();
    assertThat(out.toString()).containsPattern("greet +Greet whoever asks").contains("broken");
  }

  @Test
  void shouldRunACommandOfAModuleAndReturnItsCode() {
    assertThat(execute("greet", "world")).isEqualTo(5);
    assertThat(out.toString().trim()).isEqualTo("hello world");
  }

  @Test
  void shouldHideTheStackTraceUnlessDebugging() {
    assertThat(execute("greet", "nobody")).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines(
            "tagfabric: java.lang.IllegalStateException: nobody is there (--debug shows where)");

    assertThat(execute("greet", "--debug", "nobody")).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("\tat io.tagfabric.cli.GreetCommand.call");
  }

  @Test
  void shouldListProgramsWithTheirHelp() {
    assertThat(execute("programs")).isZero();
    assertThat(out.toString())
        .containsPattern("(?m)^count +Prints how many arguments it got, and a comma$");
  }

  @Test
  void shouldPrintTheVersionsOfWhatItStandsOn() {
    assertThat(execute("--version")).isZero();
    assertThat(out.toString())
        .matches("(?s)Tagfabric \\d\\S* \\(Akka 2\\.\\d+\\.\\d+, Aeron 1\\.\\S+, Java .*\\)\\s*");
  }

  private int execute(String... args) {
    return Tagfabric.execute(new PrintWriter(out), new PrintWriter(err), args);
  }
}
