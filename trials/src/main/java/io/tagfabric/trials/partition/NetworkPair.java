package io.tagfabric.trials.partition;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Two network namespaces of this host with one cable between them. Linux, root, and iproute2. */
final class NetworkPair implements AutoCloseable {
  private static final String FIRST_HOST = "10.77.0.1";
  private static final String SECOND_HOST = "10.77.0.2";
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final long COMMAND_S = 10;

  private final String first;
  private final String second;
  private final String cable;

  private NetworkPair(long number) {
    first = "tagfabric-a-" + number;
    second = "tagfabric-b-" + number;
    cable = "tfa" + number;
  }

  /** What is missing on this machine, and how to get it; empty if nothing is. */
  static Optional<String> missing() {
    List<String> missing = new ArrayList<>();
    if (!Files.exists(STATUS)) {
      return Optional.of("network namespaces, which only Linux has");
    }
    if (!isRoot()) {
      missing.add("the rights of root (call it by sudo)");
    }
    try {
      run(List.of("ip", "-V"));
    } catch (IOException e) {
      missing.add("the command `ip` (apt-get install iproute2)");
    }
    return missing.isEmpty() ? Optional.empty() : Optional.of(String.join(" and ", missing));
  }

  private static boolean isRoot() {
    try {
      return Files.readAllLines(STATUS).stream()
          .filter(line -> line.startsWith("Uid:"))
          .anyMatch(line -> line.split("\\s+", -1)[2].equals("0"));
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Makes both and connects them.
   *
   * @throws IOException with what `ip` has said if that is not allowed here
   */
  static NetworkPair create() throws IOException {
    NetworkPair pair = new NetworkPair(ProcessHandle.current().pid());
    try {
      String other = "tfb" + ProcessHandle.current().pid();
      ip("netns", "add", pair.first);
      ip("netns", "add", pair.second);
      ip(
          "link",
          "add",
          pair.cable,
          "netns",
          pair.first,
          "type",
          "veth",
          "peer",
          "name",
          other,
          "netns",
          pair.second);
      pair.raise(pair.first, pair.cable, FIRST_HOST);
      pair.raise(pair.second, other, SECOND_HOST);
      return pair;
    } catch (IOException e) {
      pair.close();
      throw e;
    }
  }

  private void raise(String namespace, String link, String address) throws IOException {
    ip("-n", namespace, "addr", "add", address + "/24", "dev", link);
    ip("-n", namespace, "link", "set", "lo", "up");
    ip("-n", namespace, "link", "set", link, "up");
  }

  /** The address of a side. */
  String host(boolean ofFirst) {
    return ofFirst ? FIRST_HOST : SECOND_HOST;
  }

  /** What stands before a command that is to run on a side. */
  List<String> prefix(boolean ofFirst) {
    return List.of("ip", "netns", "exec", ofFirst ? first : second);
  }

  /** Nothing passes the cable any more. */
  void cut() throws IOException {
    ip("-n", first, "link", "set", cable, "down");
  }

  /** It does again. */
  void heal() throws IOException {
    ip("-n", first, "link", "set", cable, "up");
  }

  /** Removes both; the cable goes with them. */
  @Override
  public void close() {
    for (String namespace : List.of(first, second)) {
      try {
        ip("netns", "delete", namespace);
      } catch (IOException notThere) {
        // there is nothing to remove
      }
    }
  }

  private static void ip(String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(words));
    run(command);
  }

  private static void run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (!process.waitFor(COMMAND_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException(
            "`" + String.join(" ", command) + "` failed" + (said.isEmpty() ? "" : ": " + said));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }
}
