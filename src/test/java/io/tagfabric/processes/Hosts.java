package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Two hosts on this machine, 0 and 1, with a cable between them. Each is a network namespace; a
 * command that runs there has its own {@code /dev/shm} and launch directory, which it shares only
 * with what it starts. Linux, root and iproute2; without them the test is skipped.
 */
final class Hosts implements AutoCloseable {
  private static final String SHARED_MEMORY = "/dev/shm";

  private final List<String> names;
  private final List<String> addresses;
  private final Path launch;

  private Hosts(List<String> addresses) {
    String id = "tf" + ProcessHandle.current().pid() % 100_000;
    this.names = List.of(id + "a", id + "b");
    this.addresses = addresses;
    this.launch = Path.of("/tmp", id); // short, as a path of shm has to be
  }

  /** Makes two with IPv4 addresses. */
  static Hosts make() {
    return make(List.of("10.213.77.1", "10.213.77.2"), 24);
  }

  /** The same with IPv6 addresses alone. */
  static Hosts makeIpv6() {
    return make(List.of("fd77::1", "fd77::2"), 64);
  }

  private static Hosts make(List<String> addresses, int bits) {
    Hosts made = new Hosts(addresses);
    String one = made.names.get(0);
    String two = made.names.get(1);
    assumeTrue(
        run(List.of("ip", "netns", "add", one)).isWell(),
        "network namespaces need root and the package iproute2");
    boolean complete = false;
    try {
      Files.createDirectories(made.launch);
      demand("ip", "netns", "add", two);
      demand(
          "ip", "link", "add", one, "netns", one, "type", "veth", "peer", "name", two, "netns",
          two);
      for (int host = 0; host < 2; host++) {
        String name = made.names.get(host);
        String address = addresses.get(host) + "/" + bits;
        if (bits == 64) {
          // Else it takes a second until the address is known to be free.
          made.ip(host, "address", "add", address, "dev", name, "nodad");
        } else {
          made.ip(host, "address", "add", address, "dev", name);
        }
        made.ip(host, "link", "set", name, "up");
        made.ip(host, "link", "set", "lo", "up");
      }
      complete = true;
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (!complete) {
        made.close();
      }
    }
  }

  /** Lays one more cable, between addresses {@code 10.213.78.1} and {@code .2}. */
  void secondCable() {
    List<String> ends = names.stream().map(name -> name + "2").toList();
    demand(
        "ip",
        "link",
        "add",
        ends.get(0),
        "netns",
        names.get(0),
        "type",
        "veth",
        "peer",
        "name",
        ends.get(1),
        "netns",
        names.get(1));
    for (int host = 0; host < 2; host++) {
      ip(host, "address", "add", "10.213.78." + (host + 1) + "/24", "dev", ends.get(host));
      ip(host, "link", "set", ends.get(host), "up");
    }
  }

  /** Takes an end of the second cable out. */
  void pullSecondCable(int host) {
    ip(host, "link", "set", names.get(host) + "2", "down");
  }

  String address(int host) {
    return addresses.get(host);
  }

  /** Where the files of jobs are; every host sees others there. */
  Path launchDirectory() {
    return launch;
  }

  /** The options of {@code tagfabric run} that start ranks there. */
  List<String> options(Path directory) {
    return List.of("--hostfile", writeHostFile(directory).toString(), "--spawner", spawner());
  }

  private String spawner() {
    return Stream.concat(prefix("%H").stream(), Stream.of("sh", "-c", "%C"))
        .map(word -> word.matches("[\\w%/.-]+") ? word : "'" + word + "'")
        .collect(Collectors.joining(" ", "command ", ""));
  }

  /** What stands before a command that runs on a host. */
  List<String> prefix(int host) {
    return prefix(names.get(host));
  }

  private List<String> prefix(String name) {
    // ip makes a mount namespace for each command.
    return List.of(
        "ip",
        "netns",
        "exec",
        name,
        "sh",
        "-c",
        "mount -t tmpfs none "
            + SHARED_MEMORY
            + " && mount -t tmpfs none "
            + launch
            + " && exec \"$@\"",
        "-");
  }

  private Path writeHostFile(Path directory) {
    List<String> lines = new ArrayList<>();
    for (int host = 0; host < 2; host++) {
      lines.add(names.get(host) + " address=" + addresses.get(host));
    }
    try {
      return Files.write(directory.resolve("hosts"), lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lets {@code ip} change something of a host. */
  void ip(int host, String... words) {
    demand(
        Stream.concat(Stream.of("ip", "-n", names.get(host)), Stream.of(words))
            .toArray(String[]::new));
  }

  /** Packets of one more kind go nowhere, on both hosts: {@code ip rule}. */
  void rule(String... words) {
    for (int host = 0; host < 2; host++) {
      ip(host, Stream.concat(Stream.of("rule", "add"), Stream.of(words)).toArray(String[]::new));
    }
  }

  /** Nothing longer passes the cable. */
  void mtu(int bytes) {
    for (int host = 0; host < 2; host++) {
      ip(host, "link", "set", names.get(host), "mtu", Integer.toString(bytes));
    }
  }

  /** What the cable carries, in words of {@code tc}; the test is skipped if the kernel cannot. */
  void pace(String... discipline) {
    for (int host = 0; host < 2; host++) {
      Said said =
          on(
              host,
              Stream.concat(
                      Stream.of("tc", "qdisc", "add", "dev", names.get(host), "root"),
                      Stream.of(discipline))
                  .toArray(String[]::new));
      assumeTrue(said.isWell(), "this kernel has no tc " + String.join(" ", discipline));
    }
  }

  /** What a command has said, and how it ended. */
  record Said(int code, String text) {
    boolean isWell() {
      return code == 0;
    }
  }

  /** Runs a command on a host, to its end. */
  Said on(int host, String... command) {
    return run(
        Stream.concat(Stream.of("ip", "netns", "exec", names.get(host)), Stream.of(command))
            .toList());
  }

  private static void demand(String... command) {
    Said said = run(List.of(command));
    assertThat(said.code()).as(String.join(" ", command) + ": " + said.text()).isZero();
  }

  private static Said run(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Said(process.waitFor(), said);
    } catch (IOException missing) {
      return new Said(127, missing.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Removes both; the cable goes with them. */
  @Override
  public void close() {
    names.forEach(name -> run(List.of("ip", "netns", "delete", name)));
    try {
      Files.deleteIfExists(launch);
    } catch (IOException somethingWasLeft) {
      throw new UncheckedIOException(somethingWasLeft);
    }
  }
}
