package io.tagfabric.bench.compare;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Two network namespaces with a cable between them, for one test. */
record MadeNamespaces(String first, String second) implements AutoCloseable {
  /** Makes both; the test is skipped where that is not allowed. */
  static MadeNamespaces make() throws IOException, InterruptedException {
    String id = "tfn" + ProcessHandle.current().pid() % 100_000;
    MadeNamespaces made = new MadeNamespaces(id + "a", id + "b");
    assumeTrue(
        succeeds("ip", "netns", "add", made.first)
            && succeeds("ip", "netns", "exec", made.first, "unshare", "--mount", "true"),
        "network namespaces need root and the package iproute2");
    boolean complete = false;
    try {
      run(List.of("ip", "netns", "add", made.second));
      run(
          List.of(
              "ip link add %1$s netns %1$s type veth peer name %2$s netns %2$s"
                  .formatted(made.first, made.second)
                  .split(" ")));
      bringUp(made.first, "10.213.78.1");
      bringUp(made.second, "10.213.78.2");
      complete = true;
      return made;
    } finally {
      if (!complete) {
        made.close();
      }
    }
  }

  private static void bringUp(String name, String address)
      throws IOException, InterruptedException {
    run(List.of("ip", "-n", name, "address", "add", address + "/24", "dev", name));
    run(List.of("ip", "-n", name, "link", "set", name, "up"));
    run(List.of("ip", "-n", name, "link", "set", "lo", "up"));
  }

  /** Both, as an option names them. */
  String names() {
    return first + "," + second;
  }

  Namespaces find() {
    return Namespaces.find(names(), new ProgramFinder(System.getenv(), Path.of("/")));
  }

  /** Runs a command to its end and gives what it has printed. */
  static String run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(command + " failed: " + said);
    }
    return said;
  }

  private static boolean succeeds(String... command) throws InterruptedException {
    try {
      run(List.of(command));
      return true;
    } catch (IOException missing) {
      return false;
    }
  }

  @Override
  public void close() throws InterruptedException {
    succeeds("ip", "netns", "delete", first);
    succeeds("ip", "netns", "delete", second);
  }
}
