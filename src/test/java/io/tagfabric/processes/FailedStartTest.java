package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.demos.Hello;
import io.tagfabric.jvms.TestPorts;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rank that cannot start says why in one sentence and ends with code 1. */
@Tag("jvms")
class FailedStartTest {
  @TempDir Path directory;

  @Test
  void shouldNameTheUdpPortInUse() throws IOException {
    try (DatagramSocket taken = new DatagramSocket(loopback())) {
      int port = taken.getLocalPort();
      requireSentence(
          Map.of("TAGFABRIC_JOB_PORT", "" + port),
          "rank 0: UDP port="
              + port
              + " of 127.0.0.1 is in use, end what listens there or set"
              + " tagfabric.job.seed-port to a free one");
    }
  }

  @Test
  void shouldNameTheTcpPortInUse() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      requireSentence(
          Map.of("TAGFABRIC_JOB_PORT", "" + port, "TAGFABRIC_JOB_PROFILE", "tcp"),
          "rank 0: TCP port=" + port + " of 127.0.0.1 is in use");
    }
  }

  @Test
  void shouldNameTheDirectoryThatHasNoMediaDriver() {
    requireSentence(
        Map.of("TAGFABRIC_JOB_AERON_DIRECTORY", directory.resolve("nobody").toString()),
        "rank 0: no media driver runs in tagfabric.job.aeron-directory="
            + directory.resolve("nobody"));
  }

  @Test
  void shouldRefuseALinkInPlaceOfItsDirectory() throws IOException {
    Path link = Command.hostDirectory(directory);
    Files.createSymbolicLink(link, directory.resolve("nowhere"));

    requireSentence(
        Map.of(), "rank 0: " + link + " is a link, which may lead to files of others: remove it");
    assertThat(directory.resolve("nowhere")).doesNotExist();
  }

  @Test
  void shouldNameAnAddressThatIsNotOfThisMachine() {
    requireSentence(
        Map.of("TAGFABRIC_JOB_HOST", "192.0.2.1"),
        "rank 0: host=192.0.2.1 is not an address of this machine, set tagfabric.job.host");
  }

  @Test
  void shouldNameTheRanksThatDoNotCome() {
    requireSentence(
        Map.of(
            "TAGFABRIC_JOB_KEY", UUID.randomUUID().toString(),
            "TAGFABRIC_JOB_SIZE", "2",
            "TAGFABRIC_JOB_SEED_PORT", "" + TestPorts.next(),
            "TAGFABRIC_JOB_START_TIMEOUT", "2 s",
            "TAGFABRIC_JOB_PROFILE", "tcp"),
        "rank 0: ");
  }

  private void requireSentence(Map<String, String> variables, String sentence) {
    try (Command command = Command.start(directory, new HashMap<>(variables), Hello.class)) {
      Command.Result result = command.end();

      assertThat(result.err()).contains(sentence);
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err().lines()).hasSize(1);
      result.requireNoTrace();
    }
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }
}
