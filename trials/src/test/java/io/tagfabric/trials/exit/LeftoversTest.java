package io.tagfabric.trials.exit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class LeftoversTest {
  @TempDir Path temporary;

  @Test
  void shouldFindNothingWhereNothingIs() {
    Leftovers left = new Leftovers(temporary.resolve("none"), Duration.ofSeconds(10));

    assertThat(left.files()).isEmpty();
    assertThat(left.ports(List.of())).isEmpty();
  }

  @Test
  void shouldFindFilesAndDirectories() throws IOException {
    Path job = Files.createDirectories(temporary.resolve("jobs/key"));
    Path ring = Files.writeString(job.resolve("ring"), "");

    assertThat(new Leftovers(temporary, Duration.ZERO).files())
        .containsExactly(job.getParent().toString(), job.toString(), ring.toString());
  }

  @Test
  void shouldFindAPortThatIsTaken() throws IOException {
    Leftovers left = new Leftovers(temporary, Duration.ZERO);
    int port;
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = taken.getLocalPort();

      assertThat(left.ports(List.of(port))).containsExactly("port " + port);
    }
    assertThat(left.ports(List.of(port))).isEmpty();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldFindAProcessThatSomebodyElseHasInherited() throws IOException, InterruptedException {
    Path directory = temporary.resolve("a job's");
    Leftovers left = new Leftovers(directory, Duration.ZERO);
    // its parent ends at once, so it is nobody's child that this process knows
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", "sleep 100 >/dev/null 2>&1 & echo $!");
    builder.environment().put("TAGFABRIC_LAUNCH_DIRECTORY", directory.toString());
    Process parent = builder.start();
    long pid =
        Long.parseLong(
            new String(parent.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
    parent.waitFor();
    try {
      assertThat(left.processes()).anyMatch(line -> line.startsWith("pid " + pid));
      assertThat(new Leftovers(temporary.resolve("another's"), Duration.ZERO).processes())
          .noneMatch(line -> line.startsWith("pid " + pid));
    } finally {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
    assertThat(new Leftovers(directory, Duration.ofSeconds(30)).processes())
        .noneMatch(line -> line.startsWith("pid " + pid));
  }
}
