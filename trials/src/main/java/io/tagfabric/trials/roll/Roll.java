package io.tagfabric.trials.roll;

import io.tagfabric.trials.exit.Leftovers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** One scenario: starts the nodes, does to them what it says, ends them, and reads their books. */
final class Roll implements AutoCloseable {
  /** From the start of a node until all know each other, and for each other step. */
  private static final long PATIENCE_S = 90;

  /** Until the messages of nodes that agree go by fabric, or of others by Akka's remoting. */
  private static final long BY_FABRIC_S = 30;

  private static final long COUNTED_NS = TimeUnit.SECONDS.toNanos(1);
  private static final int PAUSE_S = 9;
  private static final int STABLE_S = 40;
  private static final int STABLE_AFTER_KILL_S = 3;
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final Duration LEFT_FOR = Duration.ofSeconds(5);
  private static final Path MEMORY = Path.of("/dev/shm");

  private final Scenario scenario;
  private final boolean plain;
  private final RollOptions options;
  private final Optional<Defect> defect;
  private final Consumer<String> progress;
  private final Path directory;
  private final Thread cleanUp = new Thread(this::clear, "roll-end");
  private final List<Integer> ports;
  private final List<RunningNode> nodes = new CopyOnWriteArrayList<>();
  private final List<RunningNode> ended = new ArrayList<>();
  private final Set<String> killed = new TreeSet<>();
  private final Map<String, Book> books = new LinkedHashMap<>();
  private final List<String> troubles = new ArrayList<>();
  private int replaced;
  private int phases;

  /** Thrown where the run cannot go on. */
  private static final class Stuck extends Exception {
    private static final long serialVersionUID = 1;

    Stuck(String what) {
      super(what);
    }
  }

  /**
   * Prepares it.
   *
   * @param plain whether all nodes have Akka alone, whatever the scenario says
   * @param defect what one node does wrong
   */
  Roll(
      Scenario scenario,
      boolean plain,
      RollOptions options,
      Optional<Defect> defect,
      Consumer<String> progress) {
    this.scenario = scenario;
    this.plain = plain;
    this.options = options;
    this.defect = defect;
    this.progress = progress;
    Path parent = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    try {
      directory = Files.createTempDirectory(parent, "tagfabric-roll-");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    Runtime.getRuntime().addShutdownHook(cleanUp);
    ports = FreePorts.take(options.nodes());
  }

  /** What went wrong; empty if nothing did. */
  List<String> run() throws InterruptedException {
    boolean isStuck = false;
    try {
      roll();
    } catch (Stuck | IOException failure) {
      isStuck = true;
      troubles.add(failure.getMessage());
    }
    nodes.forEach(RunningNode::kill);
    readBooks();
    if (!isStuck) {
      troubles.addAll(Ledger.check(books.values(), killed));
    }
    checkLeftovers(isStuck);
    return List.copyOf(troubles);
  }

  private void roll() throws Stuck, IOException, InterruptedException {
    List<Build> builds = plain ? List.of(Build.PLAIN, Build.PLAIN) : scenario.builds();
    for (int place = 0; place < options.nodes(); place++) {
      start(place, 0, builds.get(0));
      awaitMet();
    }
    checkState();
    int generation = 1;
    for (Build build : builds.subList(1, builds.size())) {
      // of several rolls, each has to be finished before the next one
      int steps = options.quick() && builds.size() == 2 ? 1 : scenario.steps(options.nodes());
      for (int place = 0; place < steps; place++) {
        // the oldest first, which is the hardest: it leads the cluster
        step(place, generation, build);
        awaitMet();
        checkState();
        progress.accept(
            scenario.label()
                + (plain ? " (Akka alone)" : "")
                + ": "
                + (place + 1)
                + " of "
                + steps
                + " nodes done, roll "
                + generation
                + " of "
                + (builds.size() - 1));
      }
      generation++;
    }
    end();
  }

  private void start(int place, int generation, Build build) throws IOException {
    NodeSpec spec =
        new NodeSpec(
            place,
            generation,
            ports,
            nodes.isEmpty(),
            build,
            options.rate(),
            scenario.step() == Scenario.Step.KILL ? STABLE_AFTER_KILL_S : STABLE_S,
            directory,
            defect.filter(each -> place == (each.isOfLeaver() ? 0 : options.nodes() - 1)));
    nodes.add(new RunningNode(spec));
  }

  private void step(int place, int generation, Build build)
      throws Stuck, IOException, InterruptedException {
    RunningNode node =
        nodes.stream().filter(each -> each.spec().place() == place).findFirst().orElseThrow();
    switch (scenario.step()) {
      case REPLACE -> {
        node.tell(RollNode.LEAVE);
        if (!isSoon(() -> !node.isAlive(), PATIENCE_S)) {
          node.signal("QUIT"); // its log shows where its threads are
          TimeUnit.SECONDS.sleep(1);
          throw new Stuck("node " + node.name() + " does not end within " + PATIENCE_S + " s");
        }
        retire(node);
        start(place, generation, build);
        replaced++;
      }
      case KILL -> {
        killed.add(node.name());
        node.kill();
        nodes.remove(node);
        awaitMet();
        start(place, generation, build);
        replaced++;
      }
      case PAUSE -> {
        node.signal("STOP");
        try {
          TimeUnit.SECONDS.sleep(PAUSE_S);
        } finally {
          node.signal("CONT");
        }
      }
    }
  }

  private void retire(RunningNode node) throws Stuck {
    nodes.remove(node);
    ended.add(node);
    if (node.code() != 0) {
      throw new Stuck("node " + node.name() + " ended with code " + node.code());
    }
  }

  private void awaitMet() throws Stuck, InterruptedException {
    await(() -> nodes.stream().allMatch(node -> node.knows(nodes)), "nodes do not know each other");
  }

  private void await(BooleanSupplier condition, String complaint)
      throws Stuck, InterruptedException {
    if (!isSoon(condition, PATIENCE_S)) {
      throw new Stuck(complaint + " within " + PATIENCE_S + " s: " + states());
    }
  }

  private boolean isSoon(BooleanSupplier condition, long patienceS)
      throws Stuck, InterruptedException {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(patienceS);
    while (!condition.getAsBoolean()) {
      for (RunningNode node : nodes) {
        if (!node.isAlive() && node.code() != 0) {
          throw new Stuck("node " + node.name() + " ended with code " + node.code());
        }
      }
      if (System.nanoTime() - deadlineNs > 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.sleep(LOOK_NS);
    }
    return true;
  }

  private String states() {
    List<String> states = new ArrayList<>();
    nodes.forEach(node -> states.add(node.name() + " " + node.said(RollNode.PEERS).orElse("")));
    return states.toString();
  }

  // ---- while all are there ----

  private void checkState() throws Stuck, InterruptedException {
    if (nodes.size() < options.nodes()) {
      return;
    }
    List<Build> builds = nodes.stream().map(node -> node.spec().build()).toList();
    if (Build.allAgree(builds)) {
      phase();
      if (!isSoon(() -> countedByAkka() == 0, BY_FABRIC_S)) {
        troubles.add(
            "all nodes agree, but messages still go by Akka's remoting after "
                + BY_FABRIC_S
                + " s: "
                + counters());
      }
    } else if (builds.stream().anyMatch(Build::fabric)
        && !isSoon(() -> countedByAkka() > 0, BY_FABRIC_S)) {
      troubles.add("nodes of " + builds + " do not agree, but no message goes by Akka's remoting");
    }
  }

  private void phase() throws Stuck, InterruptedException {
    nodes.forEach(node -> node.tell(RollNode.PHASE));
    await(
        () -> nodes.stream().allMatch(node -> node.said(RollNode.PHASE).isPresent()),
        "a phase of the team does not end");
    phases++;
    for (RunningNode node : nodes) {
      String sum = node.said(RollNode.PHASE).orElseThrow();
      if (!sum.equals(Integer.toString(options.nodes()))) {
        troubles.add("node " + node.name() + " has the sum " + sum + ", not " + options.nodes());
      }
    }
  }

  /** Messages by references of the fabric that went by Akka's remoting within a second. */
  private long countedByAkka() {
    long before = byAkka();
    LockSupport.parkNanos(COUNTED_NS);
    return byAkka() - before;
  }

  private long byAkka() {
    return counters().values().stream().mapToLong(Long::longValue).sum();
  }

  private Map<String, Long> counters() {
    Map<String, Long> counters = new LinkedHashMap<>();
    List<RunningNode> fabric = nodes.stream().filter(node -> node.spec().build().fabric()).toList();
    fabric.forEach(node -> node.tell(RollNode.COUNTERS));
    for (RunningNode node : fabric) {
      long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
      while (node.said(RollNode.COUNTERS).isEmpty() && System.nanoTime() - deadlineNs < 0) {
        LockSupport.parkNanos(LOOK_NS);
      }
      String[] words = node.said(RollNode.COUNTERS).orElse("0 0").split(" ", 2);
      counters.put(node.name(), Long.parseLong(words[1]));
    }
    return counters;
  }

  // ---- the end ----

  private void end() throws Stuck, InterruptedException {
    TimeUnit.MILLISECONDS.sleep(options.settleMs());
    nodes.forEach(node -> node.tell(RollNode.QUIET));
    await(
        () -> nodes.stream().allMatch(node -> node.said(RollNode.QUIET).isPresent()),
        "nodes do not come to rest");
    nodes.forEach(node -> node.tell(RollNode.LEAVE));
    await(() -> nodes.stream().noneMatch(RunningNode::isAlive), "nodes do not end");
    for (RunningNode node : List.copyOf(nodes)) {
      retire(node);
    }
  }

  private void readBooks() {
    for (RunningNode node : ended) {
      try {
        Book book = Book.parse(Files.readAllLines(node.spec().book()));
        books.put(book.node(), book);
        Files.delete(node.spec().book());
      } catch (IOException | IllegalArgumentException missing) {
        troubles.add("node " + node.name() + " has left no book: " + missing);
      }
    }
  }

  private void checkLeftovers(boolean isStuck) {
    Leftovers left = new Leftovers(directory, LEFT_FOR);
    left.processes().forEach(process -> troubles.add(process + " is left"));
    left.ports(ports).forEach(port -> troubles.add(port + " is in use"));
    if (!isStuck) {
      left.files().forEach(file -> troubles.add(file + " is left"));
    }
  }

  /** What nodes have printed that they were not asked for. */
  List<String> log() {
    return Stream.concat(ended.stream(), nodes.stream())
        .flatMap(node -> node.log().stream())
        .toList();
  }

  /** Ends the nodes that still run, and removes their files. */
  @Override
  public void close() {
    clear();
    try {
      Runtime.getRuntime().removeShutdownHook(cleanUp);
    } catch (IllegalStateException endsAnyway) {
      // the hook does the same
    }
  }

  private void clear() {
    List.copyOf(nodes).forEach(RunningNode::kill);
    if (Files.exists(directory)) {
      try (Stream<Path> all = Files.walk(directory)) {
        all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
      } catch (IOException | UncheckedIOException vanished) {
        // a node has removed it
      }
    }
  }

  // ---- figures ----

  long longestAskMs() {
    return Ledger.longestMs(books.values(), killed);
  }

  int replaced() {
    return replaced;
  }

  int phases() {
    return phases;
  }

  long asks() {
    return books.values().stream()
        .flatMap(book -> book.asked().values().stream())
        .mapToLong(Book.Asked::answered)
        .sum();
  }

  long sent(Book.Kind kind) {
    return sentOf(kind).mapToLong(Book.Sent::count).sum();
  }

  /** Messages that need not have come: failed sends, and tells to nodes that leave. */
  long open(Book.Kind kind) {
    return sentOf(kind).mapToLong(sent -> sent.open().count()).sum();
  }

  private Stream<Book.Sent> sentOf(Book.Kind kind) {
    return books.values().stream()
        .flatMap(book -> book.sent().entrySet().stream())
        .filter(row -> row.getKey().kind() == kind)
        .map(Map.Entry::getValue);
  }
}
