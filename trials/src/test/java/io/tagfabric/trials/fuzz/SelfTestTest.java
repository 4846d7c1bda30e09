package io.tagfabric.trials.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

class SelfTestTest {
  private static final String FOUND =
      "{\"sent\": 3, \"violation\": \"a byte\", \"promise\": \"buffer\"}";

  @Test
  void shouldTakeOnlyTheRightViolationForAFind() {
    assertThat(SelfTest.verdict(Mutant.PLACE, 1, List.of("fuzz: words", FOUND))).isEmpty();
    assertThat(SelfTest.verdict(Mutant.EAGER_FIRST, 1, List.of(FOUND)))
        .contains("promise=buffer != memory");
    assertThat(SelfTest.verdict(Mutant.PLACE, 0, List.of("{\"sent\": 3}"))).contains("exit code 0");
    assertThat(SelfTest.verdict(Mutant.PLACE, 1, List.of("no such class")))
        .isEqualTo("exit code 1: no such class");
  }

  @Test
  @Tag("jvms")
  @Timeout(value = 240, unit = TimeUnit.SECONDS)
  void shouldFindEveryOldDefectAndLeaveNoProcess() {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();

    int code =
        new CommandLine(new FuzzCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute("--self-test");

    assertThat(code).as(out + "" + err).isZero();
    assertThat(out.toString().lines().toList())
        .hasSize(Mutant.values().length)
        .allMatch(line -> line.matches("[a-z-]+: found after \\d+\\.\\d s"));
    assertThat(
            ProcessHandle.current()
                .descendants()
                .filter(each -> each.info().commandLine().orElse("").contains("fuzz.Mutant")))
        .isEmpty();
  }
}
