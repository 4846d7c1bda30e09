package io.tagfabric.bench.ours;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.bench.measure.Allocation;
import io.tagfabric.bench.measure.Budget;
import io.tagfabric.bench.measure.TransferKind;
import io.tagfabric.bench.measure.Trial;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.report.Rows;
import io.tagfabric.report.Sizes;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.UnsafeBuffer;
import picocli.CommandLine;

/** Measures memory in this JVM, or in rank 0 of two ranks that it starts. */
public final class MemoryBench {
  /** What {@link RankMain} calls it. */
  static final String WORK = "memory";

  /** Receives that wait at the same time. */
  static final int DEPTH = 20_000;

  private static final int ENDPOINTS = 64;
  private static final int QUEUE = 64;
  private static final int WINDOW = 64;
  private static final int SHORT_BYTES = 8;
  private static final int LONG_BYTES = 1 << 16;
  private static final int SHORT_MESSAGES = 6_250 * WINDOW / 2;
  private static final int LONG_MESSAGES = 64 * WINDOW / 2;
  private static final long TAG = 1L << 40;
  private static final Budget WARM_UP = Budget.ofMillis(500, 3_000, 100_000, 1);

  private final BenchOptions options;
  private Rows rows;

  public MemoryBench(BenchOptions options) {
    this.options = options;
  }

  /** Both sides' allocations, once for a run of messages. */
  private interface Streams {
    /**
     * Streams messages.
     *
     * @return bytes allocated by the sending side, then by the receiving side
     */
    long[] allocated(int bytes, int messages);
  }

  /** Runs the benchmark of a command and returns its exit code. */
  public int start(CommandLine command) {
    return options.start(command, WORK, () -> measureHere(command.getOut()));
  }

  private void measureHere(PrintWriter out) {
    rows = rows(out);
    if (options instanceof MemoryOptions chosen && chosen.peers != null) {
      new PoolMemory(chosen.peers, this::add).measure();
      return;
    }
    try (LocalPair pair = new LocalPair(options, 1, DEPTH)) {
      // here both flows of a pair are in the same heap
      held(pair.domain(), pair.farAddress(), 2);
    }
    try (LocalPair pair = new LocalPair(options, 2)) {
      allocated(streamsOf(pair));
    }
  }

  /** What rank 0 does. */
  void measure(RankPair pair, PrintWriter out) {
    rows = rows(out);
    held(pair.domain(), pair.farAddress(), 1);
    allocated(streamsOf(pair));
  }

  private Streams streamsOf(LocalPair pair) {
    LocalSubject subject = new LocalSubject(pair, TransferKind.RATE, 2, WINDOW);
    return (bytes, messages) -> {
      trial().warmUp(subject, bytes);
      Histogram ignored = new Histogram(3);
      long before = Allocation.ofThisThread();
      subject.run(bytes, messages, ignored);
      return new long[] {Allocation.ofThisThread() - before, subject.farAllocated()};
    };
  }

  private Streams streamsOf(RankPair pair) {
    return (bytes, messages) -> {
      var subject = pair.ours(TransferKind.RATE, WINDOW);
      trial().warmUp(subject, bytes);
      Histogram ignored = new Histogram(3);
      Allocation here = new Allocation();
      pair.farAllocated();
      here.sinceLastCall();
      subject.run(bytes, messages, ignored);
      long sending = here.sinceLastCall();
      return new long[] {sending, pair.farAllocated()};
    };
  }

  private Trial trial() {
    return new Trial(TransferKind.RATE, WINDOW, WARM_UP, 0, EnumNames.of(options.progress));
  }

  private Rows rows(PrintWriter out) {
    return new Rows(out, options.json, "%-44s  %12s", "what", "bytes");
  }

  private void allocated(Streams streams) {
    allocated(streams, SHORT_BYTES, SHORT_MESSAGES);
    allocated(streams, LONG_BYTES, LONG_MESSAGES);
  }

  private void held(Domain domain, EndpointAddress far, int flowsOfAPeer) {
    int peer = domain.addressVector().insert(far);
    // classes, pools and tables of the first one are nobody's
    connect(open(domain, "memory-first", QUEUE), peer);
    Endpoint busy = open(domain, "memory-posted", DEPTH + QUEUE);
    MemoryUse before = MemoryUse.now();
    List<Endpoint> endpoints = new ArrayList<>();
    for (int i = 0; i < ENDPOINTS; i++) {
      endpoints.add(open(domain, "memory-" + i, QUEUE));
    }
    MemoryUse opened = MemoryUse.now();
    endpoints.forEach(endpoint -> connect(endpoint, peer));
    MemoryUse connected = MemoryUse.now();
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[SHORT_BYTES]);
    for (int i = 0; i < DEPTH; i++) {
      busy.postReceive(buffer, 0, SHORT_BYTES, TAG + 1 + i, 0, peer, null);
    }
    busy.receiveQueue().read(0);
    MemoryUse posted = MemoryUse.now();
    add("endpoint", opened.since(before), ENDPOINTS);
    add("peer", connected.since(opened), ENDPOINTS * flowsOfAPeer);
    add("posted receive", posted.since(connected), DEPTH);
  }

  private Endpoint open(Domain domain, String name, int queue) {
    CompletionQueue transmit = domain.openCompletionQueue(queue);
    return domain.openEndpoint(
        name,
        transmit,
        domain.openCompletionQueue(queue),
        domain.endpointDefaults().withProviders(List.of(options.provider)));
  }

  /** Sets up the flow; no message, for which the peer may have promised its room to others. */
  private static void connect(Endpoint endpoint, int peer) {
    endpoint.futures().connect(peer).toCompletableFuture().join();
  }

  private void add(String what, MemoryUse use, int count) {
    add("heap per " + what, (double) use.heap() / count);
    add("direct per " + what, (double) use.direct() / count);
    add("/dev/shm per " + what, (double) use.shared() / count);
  }

  private void allocated(Streams streams, int bytes, int messages) {
    long[] ofSides = streams.allocated(bytes, messages);
    String message = "message of " + Sizes.format(bytes) + " B";
    add("allocated per sent " + message, (double) ofSides[0] / messages);
    add("allocated per received " + message, (double) ofSides[1] / messages);
  }

  private void add(String what, double bytes) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("test", WORK);
    row.put("what", what);
    row.put("bytes", bytes);
    row.put("provider", options.provider);
    row.put("progress", EnumNames.of(options.progress));
    rows.add(row);
  }
}
