package io.tagfabric.trials.gasnet;

import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.job.Job;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.ProgressSettings;
import io.tagfabric.tag.TagSelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Each rank has several domains whose progress threads are deferred, and its neighbour sends to all
 * of them. Nothing comes before a thread is started; they are started last first, and each brings
 * what was sent to its domain alone. The first is never started: its domain closes.
 *
 * @source GASNet tests, testprogthr
 */
final class ProgressThreads {
  private static final int DOMAINS = 4;
  private static final int STARTERS = 2;
  private static final String THREAD = "tagfabric-progress-";

  private final Job job;
  private final Duration limit;
  private final List<Domain> domains = new ArrayList<>();
  private final List<CompletableFuture<Void>> received = new ArrayList<>();

  private ProgressThreads(Job job, Duration limit) {
    this.job = job;
    this.limit = limit;
  }

  static void run(Job job, Duration limit) throws InterruptedException {
    new ProgressThreads(job, limit).run();
  }

  private void run() throws InterruptedException {
    for (int i = 0; i < DOMAINS; i++) {
      open(i);
    }
    job.barrier(limit);
    List<CompletableFuture<Boolean>> sent = send();
    job.barrier(limit);
    require(running().isEmpty(), "before a start there are threads " + running());
    for (int i = DOMAINS - 1; i > 0; i--) {
      requireNothingBelow(i + 1);
      start(domains.get(i));
      await(received.get(i)::isDone, "what was sent to domain " + i);
      require(running().equals(namesFrom(i)), "threads " + running() + " run, not " + namesFrom(i));
    }
    requireNothingBelow(1);
    closeUnstarted(domains.get(0));
    for (CompletableFuture<Boolean> each : sent) {
      await(each::isDone, "the end of a send");
    }
    for (int i = 1; i < DOMAINS; i++) {
      require(sent.get(i).join(), "the send to domain " + i + " has failed");
    }
    job.barrier(limit);
    domains.forEach(domain -> domain.close(limit));
    await(() -> running().isEmpty(), "threads after the close");
  }

  private void open(int index) {
    ProgressSettings defaults = job.fabric().progressDefaults().withMode(ProgressMode.AUTO);
    Domain domain =
        job.fabric()
            .openDomain(nameOf(index), defaults.withPacing(defaults.pacing().withDeferred(true)));
    Endpoint endpoint = domain.openEndpoint("progthr");
    String name = nameOf(index) + "-" + job.rank();
    job.fabric().register(name, endpoint).toCompletableFuture().join();
    CompletableFuture<Void> got = new CompletableFuture<>();
    endpoint
        .futures()
        .receiveTagged(TagSelector.exact(index))
        .whenComplete(
            (message, failure) -> {
              if (failure == null) {
                got.complete(null);
              } else {
                got.completeExceptionally(failure);
              }
            });
    domains.add(domain);
    received.add(got);
  }

  /** To the next rank; the job's own domain sends. True of each that has arrived. */
  private List<CompletableFuture<Boolean>> send() {
    List<CompletableFuture<Boolean>> sent = new ArrayList<>();
    int next = (job.rank() + 1) % job.size();
    for (int i = 0; i < DOMAINS; i++) {
      int peer = job.domain().connect(nameOf(i) + "-" + next).toCompletableFuture().join();
      CompletableFuture<Boolean> done = new CompletableFuture<>();
      CompletionStage<?> stage = job.endpoint().futures().sendTagged(peer, new byte[] {1}, i);
      stage.whenComplete((completion, failure) -> done.complete(failure == null));
      sent.add(done);
    }
    return sent;
  }

  /** By several threads at once. */
  private void start(Domain domain) throws InterruptedException {
    List<Thread> starters =
        Stream.generate(() -> new Thread(domain::startProgress, "starter"))
            .limit(STARTERS)
            .toList();
    starters.forEach(Thread::start);
    for (Thread each : starters) {
      each.join(limit.toMillis());
      require(!each.isAlive(), "startProgress has not returned");
    }
  }

  private void closeUnstarted(Domain domain) {
    domain.close(Duration.ZERO);
    await(received.get(0)::isDone, "the receive of a closed domain");
    Throwable why = received.get(0).handle((nothing, failure) -> failure).join();
    require(
        why instanceof FabricException, "the receive of a domain that nobody drove ended: " + why);
    boolean refused = false;
    try {
      domain.startProgress();
    } catch (IllegalStateException wanted) {
      refused = true;
    }
    require(refused, "a closed domain has started a thread");
  }

  /** Domains whose threads were not started have received nothing. */
  private void requireNothingBelow(int first) {
    for (int i = 0; i < first; i++) {
      require(!received.get(i).isDone(), "domain " + i + " has received before its start");
    }
  }

  /** Drives the job's own domain alone meanwhile. */
  private void await(BooleanSupplier isOver, String what) {
    long endNs = System.nanoTime() + limit.toNanos();
    while (!isOver.getAsBoolean()) {
      require(System.nanoTime() - endNs < 0, "no end within " + limit + " of " + what);
      job.domain().loop().advance();
      Thread.yield();
    }
  }

  private static List<String> running() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith(THREAD + "progthr"))
        .sorted()
        .toList();
  }

  private static List<String> namesFrom(int first) {
    return IntStream.range(first, DOMAINS).mapToObj(i -> THREAD + nameOf(i)).toList();
  }

  private static String nameOf(int index) {
    return "progthr-" + index;
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
