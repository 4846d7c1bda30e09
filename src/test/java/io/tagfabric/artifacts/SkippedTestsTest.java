package io.tagfabric.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SkippedTestsTest {
  @TempDir private Path root;

  @Test
  void shouldNameTestsByWhatTheyMissed() throws IOException {
    report(
        "one",
        "<testcase name=\"runs\" classname=\"a.b.FirstTest\"/>"
            + "<testcase name=\"mounts\" classname=\"a.b.FirstTest\"><skipped message=\"no root\"/>"
            + "</testcase>");
    report(
        "two",
        "<testcase name=\"mounts\" classname=\"c.SecondTest\"><skipped message=\"no root\"/>"
            + "</testcase><testcase name=\"zsh\" classname=\"c.SecondTest\">"
            + "<skipped type=\"A\">o.A: Assumption failed: install zsh\n\tat o.B</skipped>"
            + "</testcase><testcase name=\"bare\" classname=\"c.SecondTest\"><skipped/></testcase>");

    assertThat(SkippedTests.in(root, Instant.EPOCH))
        .containsOnlyKeys("install zsh", "no root", "no reason given")
        .containsEntry("install zsh", List.of("SecondTest.zsh"))
        .containsEntry("no root", List.of("FirstTest.mounts", "SecondTest.mounts"));
  }

  @Test
  void shouldLeaveOutReportsOfBuildsBefore() throws IOException {
    Instant begin = Instant.parse("2026-11-01T12:00:00Z");
    String cases =
        "<testcase name=\"runs\" classname=\"ATest\"><skipped message=\"%s\"/></testcase>";
    Path old = report("old", cases.formatted("of yesterday"));
    Path first = report("new", cases.formatted("of now"));
    Files.setLastModifiedTime(old, FileTime.from(begin.minusMillis(1)));
    Files.setLastModifiedTime(first, FileTime.from(begin));

    assertThat(SkippedTests.in(root, begin)).containsOnlyKeys("of now");
  }

  @Test
  void shouldTellWhatIsRequiredFromWhatIsNot() {
    assertThat(SkippedTests.line("no root", List.of("ATest.a", "BTest.b"), true))
        .isEqualTo("[ERROR] 2 tests were skipped, no root: ATest.a, BTest.b");
    assertThat(SkippedTests.line("install zsh", List.of("ATest.a"), false))
        .isEqualTo("[WARNING] 1 test was skipped, install zsh: ATest.a");
  }

  @Test
  void shouldReadWhatThePageCallsOptional() {
    assertThat(SkippedTests.optional("# T\nOptional for the tests: `a`, the user `b`.\n`c`\n"))
        .containsExactly("a", "b");
    assertThat(SkippedTests.optional("# T\n")).isEmpty();
  }

  private Path report(String module, String cases) throws IOException {
    Path reports = Files.createDirectories(root.resolve(module + "/target/surefire-reports"));
    return Files.writeString(
        reports.resolve("TEST-all.xml"), "<testsuite name=\"all\">" + cases + "</testsuite>");
  }
}
