package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tagfabric.jvms.TestPorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A secure shell server on loopback, with its own host key and one user key, all in one directory;
 * neither the server's nor the user's own files are read or changed.
 */
final class SshServer implements AutoCloseable {
  private static final Path SSHD = Path.of("/usr/sbin/sshd");
  private static final Path PRIVILEGE_SEPARATION = Path.of("/run/sshd");
  private static final long DEADLINE_S = 20;

  private final Path directory;
  private final int port;
  private Process process;

  private SshServer(Path directory, int port) {
    this.directory = directory;
    this.port = port;
  }

  /** Starts the server; the test is skipped if this machine has none. */
  static SshServer start(Path directory) throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(SSHD), SSHD + " is missing, install the package openssh-server");
    Files.createDirectories(directory);
    boolean root = System.getProperty("user.name").equals("root");
    if (root) {
      // the directory stays: the server of another build may use it
      Files.createDirectories(PRIVILEGE_SEPARATION);
    }
    SshServer server = new SshServer(directory, TestPorts.next());
    server.makeKeys();
    server.launch();
    return server;
  }

  int port() {
    return port;
  }

  /** The client's command for this server. */
  String client() {
    return client(port, "user");
  }

  String client(int toPort, String key) {
    return "ssh -F none -p "
        + toPort
        + " -i '"
        + directory.resolve(key)
        + "' -o IdentitiesOnly=yes -o UserKnownHostsFile='"
        + directory.resolve("known_hosts")
        + "'";
  }

  /** Forgets the servers' keys, as if the client had never been here. */
  void forgetHosts() throws IOException {
    Files.writeString(directory.resolve("known_hosts"), "");
  }

  /** Ends the processes that serve connections, so that these are cut. */
  void cutConnections() {
    process.descendants().filter(SshServer::isSession).forEach(ProcessHandle::destroyForcibly);
  }

  private static boolean isSession(ProcessHandle process) {
    return process.info().command().filter(command -> command.endsWith("sshd")).isPresent();
  }

  @Override
  public void close() throws IOException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().onExit().join();
  }

  private void makeKeys() throws IOException, InterruptedException {
    for (String name : List.of("host", "user", "stranger")) {
      run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", directory.resolve(name).toString());
    }
    Files.copy(directory.resolve("user.pub"), directory.resolve("authorized_keys"));
    String key = Files.readString(directory.resolve("host.pub"));
    List<String> known = new ArrayList<>();
    for (int i = 1; i <= 2; i++) {
      known.add("[127.0.0." + i + "]:" + port + " " + key.strip());
    }
    Files.write(directory.resolve("known_hosts"), known);
  }

  private void launch() throws IOException, InterruptedException {
    Path config = directory.resolve("sshd_config");
    Files.write(
        config,
        List.of(
            "Port " + port,
            "ListenAddress 127.0.0.1",
            "ListenAddress 127.0.0.2",
            "HostKey \"" + directory.resolve("host") + "\"",
            "AuthorizedKeysFile \"" + directory.resolve("authorized_keys") + "\"",
            "PidFile none",
            "StrictModes no",
            "UsePAM no",
            "PasswordAuthentication no",
            "KbdInteractiveAuthentication no",
            "PermitRootLogin yes"));
    process =
        new ProcessBuilder(SSHD.toString(), "-D", "-e", "-f", config.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
    while (!listens()) {
      assertThat(process.isAlive())
          .as(() -> "sshd runs: " + read(directory.resolve("log")))
          .isTrue();
      assertThat(System.nanoTime()).isLessThan(deadlineNs);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private boolean listens() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.2", port), 500);
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      return unreadable.toString();
    }
  }

  static void run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(String.join(" ", command) + ": " + said).isZero();
  }
}
