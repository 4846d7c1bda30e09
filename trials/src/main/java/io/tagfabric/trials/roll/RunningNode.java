package io.tagfabric.trials.roll;

import io.tagfabric.cluster.host.LaunchSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The process of a node, and what it has said. Thread: any. */
final class RunningNode {
  private static final int LINES_KEPT = 1_000;
  private static final int WARNS_OF_UNSAFE = 23;
  private static final long READ_S = 5;

  private final NodeSpec spec;
  private final Process process;
  private final Thread reader;
  private final Map<String, String> said = new HashMap<>();
  private final ArrayDeque<String> log = new ArrayDeque<>();

  /** Starts it. */
  RunningNode(NodeSpec spec) throws IOException {
    this.spec = spec;
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xmx160m"));
    if (Runtime.version().feature() >= WARNS_OF_UNSAFE) {
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith("-XX:SharedArchiveFile=")) // it starts quicker so
        .forEach(command::add);
    command.addAll(spec.build().flags());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(RollNode.class.getName());
    command.addAll(spec.arguments());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put(LaunchSettings.DIRECTORY.variable(), spec.directory().toString());
    process = builder.start();
    reader = new Thread(this::read, "roll-node-" + spec.name());
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        note(line);
      }
    } catch (IOException ended) {
      note(ended.toString());
    }
  }

  private synchronized void note(String line) {
    if (line.startsWith(RollNode.SAYS)) {
      String[] words = line.substring(RollNode.SAYS.length()).split(" ", 2);
      said.put(words[0], words.length == 1 ? "" : words[1]);
    } else {
      log.addLast(line);
      if (log.size() > LINES_KEPT) {
        log.removeFirst();
      }
    }
  }

  NodeSpec spec() {
    return spec;
  }

  String name() {
    return spec.name();
  }

  /** The latest that it has said of something. */
  synchronized Optional<String> said(String what) {
    return Optional.ofNullable(said.get(what));
  }

  /** What it has printed besides, the last lines. */
  synchronized List<String> log() {
    return log.stream().map(line -> name() + ": " + line).toList();
  }

  /** Tells it something; what it has said of that before is forgotten. */
  void tell(String line) {
    synchronized (this) {
      said.remove(line);
    }
    Writer to = process.outputWriter(StandardCharsets.UTF_8);
    try {
      to.write(line + "\n");
      to.flush();
    } catch (IOException ended) {
      note("cannot be told " + line + ": " + ended.getMessage());
    }
  }

  /** Whether it knows these nodes and no others, and has met the endpoints of those that agree. */
  boolean knows(List<RunningNode> nodes) {
    Set<String> all = new TreeSet<>();
    Set<String> agreeing = new TreeSet<>();
    for (RunningNode node : nodes) {
      if (node != this) {
        all.add(node.name());
        if (node.spec.build().agreesWith(spec.build())) {
          agreeing.add(node.name());
        }
      }
    }
    String[] words = said(RollNode.PEERS).orElse("= =").split(" ", 2);
    return names(words[0]).equals(all) && names(words[1]).containsAll(agreeing);
  }

  private static Set<String> names(String word) {
    return Arrays.stream(word.substring(1).split(","))
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Its exit code. */
  int code() {
    return process.exitValue();
  }

  /** Sends a signal by name. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  /** Ends it at once. */
  void kill() {
    process.destroyForcibly();
    try {
      process.waitFor(READ_S, TimeUnit.SECONDS);
      reader.join(TimeUnit.SECONDS.toMillis(READ_S));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
