package io.tagfabric.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.job.ExitCode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

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
        "run -n 2 no.such.Class | tagfabric: class no.such.Class is not on the class path"
            + " (Tagfabric's own jars), check the name or add its place by --class-path;"
            + " `tagfabric programs` lists programs",
        "run -n 2 java.lang.String | tagfabric: class java.lang.String on the class path"
            + " (Tagfabric's own jars) has no `public static void main(String[] args)`, add one",
        "run -np x count | tagfabric run: invalid value for option '--ranks': 'x' is not a number"
            + " of ranks, write for example -n 4",
        "run -n 2 | tagfabric run: no program given, name one, a class, or a jar by --jar FILE",
        "run -n 2 --jar | tagfabric run: --jar needs the name of a jar, write --jar FILE",
        "run --jar a.jar -n 2 | tagfabric run: no number of ranks before --jar, write -n N there:"
            + " what follows the jar belongs to the program",
        "run -n 2 -x NO_SUCH_1 count | tagfabric: -x: the variable NO_SUCH_1 is not set, set it or"
            + " write NAME=VALUE",
        "run -n 2 -x 1A=2 count | tagfabric: -x 1A=2: '1A' is no name of a variable",
        "run -n 2 --wdir /no/such count | tagfabric: the working directory /no/such of --wdir is"
            + " missing, check the name",
        "run -n 2 --class-path /no/such.jar Main | tagfabric: --class-path: /no/such.jar is"
            + " missing, check the name",
        "run -n 2 -cp /no/* Main | tagfabric: --class-path: /no is missing, check the name",
        "run -n 2 -jar /no/such.jar -n 3 | tagfabric: --jar: /no/such.jar is missing, check the"
            + " name",
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
  void shouldSayWhatToDoAboutTheLimitOfOpenFiles() {
    IOException limit = new FileSystemException("/dev/shm/users", null, "Too many open files");

    assertThat(Tagfabric.tooManyFiles(new UncheckedIOException(limit)))
        .contains("/dev/shm/users: Too many open files, raise the limit of open files (ulimit -n)");
    assertThat(Tagfabric.tooManyFiles(new IOException("no"))).isEmpty();
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

  @Test
  void shouldWrapHelpAtEightyColumns() {
    for (String command : List.of("run", "programs", "class-path", "completion", "info")) {
      assertThat(execute(command, "--help")).isZero();
    }
    CommandLine.Help run = new CommandLine(new RunCommand()).getHelp();

    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
    assertThat(run.footer().lines().toList())
        .isEqualTo(List.of(run.commandSpec().usageMessage().footer()));
  }

  @Test
  void shouldCompleteCommandsOptionsAndNamesOfProgramsInAShell() throws Exception {
    assertThat(execute("completion", "bash")).isZero();

    assertThat(completed("", 4)).contains("count").contains("pingpong");
    assertThat(completed("--cl", 4)).isEqualTo("--class-path");
    assertThat(completed("--placement b", 5)).isEqualTo("block");
  }

  private String completed(String typed, int word) throws Exception {
    String line = "COMP_WORDS=(tagfabric run -n 2 " + typed + "); COMP_CWORD=" + word;
    return shell(out + "\n" + line + "; _complete_tagfabric 2>/dev/null; echo \"${COMPREPLY[@]}\"");
  }

  private static String shell(String script) throws Exception {
    Process bash =
        new ProcessBuilder("timeout", "60", "bash", "-s").redirectErrorStream(true).start();
    try (OutputStream input = bash.getOutputStream()) {
      input.write(script.getBytes(StandardCharsets.UTF_8));
    }
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).as(said).isZero();
    return said.strip();
  }

  private int execute(String... args) {
    return Tagfabric.execute(new PrintWriter(out), new PrintWriter(err), args);
  }
}
