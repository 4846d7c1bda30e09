package io.tagfabric.bench.compare;

import io.tagfabric.launch.hosts.Host;
import io.tagfabric.launch.hosts.HostPlan;
import io.tagfabric.launch.hosts.Placement;
import io.tagfabric.launch.hosts.Spawner;
import io.tagfabric.progress.CoreSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Two network namespaces of this host that stand for two hosts: rank 0 runs in the first, rank 1 in
 * the second. Each process has a mount namespace too, with a {@code /dev/shm} of its own: else
 * transports of one host would find each other there.
 *
 * @param sides both of them
 */
record Namespaces(List<Side> sides) {
  /**
   * One of two.
   *
   * @param name as {@code ip netns} knows it
   * @param address of it, numeric, other than loopback
   * @param prefix how many bits of the address name its network
   */
  record Side(String name, String address, int prefix) {
    /** Address and prefix, such as {@code 10.0.0.1/24}. */
    String network() {
      return address + "/" + prefix;
    }

    private String toWord() {
      return name + "=" + network();
    }

    private static Side parse(String word) {
      int name = word.lastIndexOf('=');
      int network = word.lastIndexOf('/');
      return new Side(
          word.substring(0, name),
          word.substring(name + 1, network),
          Integer.parseInt(word.substring(network + 1)));
    }
  }

  /** Runs a command of the system. */
  interface Commands {
    /**
     * Runs one to its end.
     *
     * @return what it has printed
     * @throws IOException with what it has said, if it fails
     */
    String run(List<String> command) throws IOException;
  }

  private static final int COUNT = 2;
  private static final long COMMAND_S = 10;
  private static final Path SELF = Path.of("/proc/self");

  /** Of {@code ip -o address}: number and name of an interface, then family and address. */
  private static final Pattern ADDRESS =
      Pattern.compile("^\\d+:\\s+(\\S+)\\s+(inet6?)\\s+([^\\s/]+)/(\\d+)\\s.*");

  private static final String OWN_MEMORY = "mount -t tmpfs tagfabric /dev/shm && exec \"$@\"";

  Namespaces {
    sides = List.copyOf(sides);
  }

  /**
   * Finds two namespaces and their addresses on this machine.
   *
   * @param names both, with a comma between
   * @throws IllegalArgumentException with a sentence, if they cannot be used
   */
  static Namespaces find(String names, ProgramFinder finder) {
    requireSystem(finder);
    return find(names, Namespaces::runHere);
  }

  private static void requireSystem(ProgramFinder finder) {
    try {
      if (!Integer.valueOf(0).equals(Files.getAttribute(SELF, "unix:uid"))) {
        throw new IllegalArgumentException("only root may enter namespaces, call it by sudo");
      }
    } catch (IOException | UnsupportedOperationException notLinux) {
      throw new IllegalArgumentException("only Linux has network namespaces", notLinux);
    }
    requireProgram(finder, "ip", "iproute2");
    requireProgram(finder, "unshare", "util-linux");
    requireProgram(finder, "taskset", "util-linux");
  }

  private static void requireProgram(ProgramFinder finder, String program, String itsPackage) {
    if (finder.find(program).isEmpty()) {
      throw new IllegalArgumentException(
          "no " + program + " in PATH, install it with: apt-get install " + itsPackage);
    }
  }

  /** The same by the answers of commands. */
  static Namespaces find(String names, Commands commands) {
    List<String> both = Arrays.asList(names.split(",", -1));
    if (both.size() != COUNT || both.contains("") || both.get(0).equals(both.get(1))) {
      throw new IllegalArgumentException("'" + names + "' is not two namespaces, such as A,B");
    }
    List<Side> sides = new ArrayList<>();
    for (String name : both) {
      sides.add(side(name, commands));
    }
    String address = sides.get(0).address();
    if (address.equals(sides.get(1).address())) {
      throw new IllegalArgumentException(
          both.get(0) + " and " + both.get(1) + " have the same address=" + address);
    }
    Namespaces found = new Namespaces(sides);
    for (int rank = 0; rank < COUNT; rank++) {
      try {
        commands.run(found.in(rank, List.of("true")));
      } catch (IOException refused) {
        throw new IllegalArgumentException(
            "nothing can be started in " + both.get(rank) + ": " + refused.getMessage(), refused);
      }
    }
    return found;
  }

  private static Side side(String name, Commands commands) {
    String said;
    try {
      said =
          commands.run(List.of("ip", "-n", name, "-o", "address", "show", "up", "scope", "global"));
    } catch (IOException refused) {
      throw new IllegalArgumentException(
          "there is no namespace " + name + " (" + refused.getMessage() + "), `ip netns` lists all",
          refused);
    }
    // the older family, which every peer knows
    return first(name, said, "inet")
        .or(() -> first(name, said, "inet6"))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    name
                        + " has no address besides loopback, give it one: ip -n "
                        + name
                        + " address add ADDRESS/BITS dev INTERFACE"));
  }

  private static Optional<Side> first(String name, String interfaces, String family) {
    return interfaces
        .lines()
        .map(ADDRESS::matcher)
        .filter(Matcher::matches)
        .filter(line -> !line.group(1).equals("lo") && line.group(2).equals(family))
        .map(line -> new Side(name, line.group(3), Integer.parseInt(line.group(4))))
        .findFirst();
  }

  private static String runHere(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(COMMAND_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException(said.isBlank() ? "`" + command.get(0) + "` failed" : said.strip());
      }
      return said;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }

  /** The address of a rank's side. */
  String address(int rank) {
    return sides.get(rank).address();
  }

  /** A command as it is started on a rank's side. */
  List<String> in(int rank, List<String> command) {
    return in(sides.get(rank).name(), command);
  }

  private static List<String> in(String name, List<String> command) {
    List<String> words = new ArrayList<>(List.of("ip", "netns", "exec", name));
    words.addAll(List.of("unshare", "--mount", "sh", "-c", OWN_MEMORY, "sh"));
    words.addAll(command);
    return words;
  }

  /** How our launcher places two ranks. */
  HostPlan plan() {
    List<Host> hosts =
        sides.stream()
            .map(side -> new Host(side.name(), side.address(), OptionalInt.of(1)))
            .toList();
    Spawner spawner = new Spawner.Command(in("%H", List.of("sh", "-c", "%C")));
    return new HostPlan(hosts, Placement.BLOCK, spawner);
  }

  /**
   * A command for both ranks that keeps each on a core of its own, as where both are on one host:
   * starters that take the sides for hosts would give both the first core.
   *
   * @param rankVariable of the environment, which tells the rank
   */
  static List<String> bound(String rankVariable, List<String> command) {
    CoreSet allowed = CoreSet.allowed();
    if (Runtime.getRuntime().availableProcessors() < COUNT) {
      return command;
    }
    List<String> words = new ArrayList<>(List.of("sh", "-c"));
    words.add(
        "if [ \"$"
            + rankVariable
            + "\" = 0 ]; then core="
            + core(allowed, 0)
            + "; else core="
            + core(allowed, 1)
            + "; fi; exec taskset -c $core \"$@\"");
    words.add("sh");
    words.addAll(command);
    return words;
  }

  private static int core(CoreSet allowed, int place) {
    return allowed.nth(place).toBitSet().nextSetBit(0);
  }

  /** One word from which {@link #parse} reads it again. */
  String toWord() {
    return String.join(",", sides.stream().map(Side::toWord).toList());
  }

  static Namespaces parse(String word) {
    return new Namespaces(Arrays.stream(word.split(",", -1)).map(Side::parse).toList());
  }

  @Override
  public String toString() {
    return String.join(
        " and ", sides.stream().map(side -> side.name() + " (" + side.address() + ")").toList());
  }
}
