package io.tagfabric.job;

import io.tagfabric.cluster.connect.ConnectFile;
import io.tagfabric.cluster.connect.ConnectSettings;
import io.tagfabric.cluster.connect.Connections;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.cluster.settings.SettingsException;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.window.FlowCounters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The flows between ranks that are set up when a job starts, and the files that name them.
 *
 * @source ibv-conduit README, GASNET_CONNECT_STATIC to GASNET_CONNECTFILE_BASE
 */
final class JobConnections {
  private static final Logger LOG = LoggerFactory.getLogger(Job.class);
  private static final String PER_RANK = "%";
  private static final Duration COUNTING = Duration.ofSeconds(1);

  private final int rank;
  private final int size;
  private final Settings settings;
  private final BitSet peers;
  private final boolean dynamic;

  /**
   * Reads what a rank is to connect to, and makes room for the file of what it will have used.
   *
   * @throws SettingsException if the file cannot be read, with the line that is wrong
   */
  JobConnections(int rank, int size, Settings settings) {
    this.rank = rank;
    this.size = size;
    this.settings = settings;
    peers = atStart();
    boolean wanted = settings.get(ConnectSettings.DYNAMIC);
    dynamic = wanted || !opensAny();
    if (!wanted && dynamic && rank == 0) {
      LOG.warn(
          "[{}] is off, but no connection is made at the start by [{}]: they are made on first use",
          ConnectSettings.DYNAMIC.fullKey(),
          ConnectSettings.STATIC.fullKey());
    }
    if (rank == 0 && !out().isBlank() && !out().contains(PER_RANK)) {
      write(Path.of(out()), "");
    }
  }

  private String out() {
    return settings.get(ConnectSettings.FILE_OUT);
  }

  /** Whether ranks connect at the start; the same in all of them. */
  private boolean opensAny() {
    return switch (settings.get(ConnectSettings.STATIC)) {
      case NONE -> false;
      case LISTED -> !settings.get(ConnectSettings.FILE_IN).isBlank();
      case ALL -> true;
    };
  }

  private BitSet atStart() {
    BitSet chosen = new BitSet();
    if (!opensAny()) {
      return chosen;
    }
    if (settings.get(ConnectSettings.STATIC) == ConnectSettings.AtStart.ALL) {
      chosen.set(0, size);
      return chosen;
    }
    String name = ConnectFile.nameFor(settings.get(ConnectSettings.FILE_IN), rank);
    try {
      chosen = ConnectFile.parse(name, Files.readAllLines(Path.of(name)), size).of(rank);
    } catch (IOException e) {
      String key = ConnectSettings.FILE_IN.fullKey();
      throw new SettingsException(key, key + "=" + name + " cannot be read: " + reason(e));
    }
    chosen.set(rank);
    return chosen;
  }

  /**
   * Sets up what is to be there from the start; returns when all ranks have theirs.
   *
   * @throws FabricException naming the rank that cannot be connected
   */
  void open(Job job) {
    if (!opensAny()) {
      return;
    }
    Map<Integer, CompletableFuture<?>> connecting = new TreeMap<>();
    peers.stream()
        .forEach(
            to ->
                connecting.put(
                    to, job.endpoint().futures().connect(job.peer(to)).toCompletableFuture()));
    connecting.forEach(
        (to, connected) -> {
          try {
            connected.join();
          } catch (CompletionException e) {
            if (e.getCause() instanceof FabricException failure) {
              throw new FabricException(
                  failure.error(),
                  "rank " + to + " cannot be connected: " + failure.getMessage(),
                  failure);
            }
            throw e;
          }
        });
    // A file may name a connection at one of its ends only; the other has it after this.
    job.barrier(settings.get(JobSettings.START_TIMEOUT));
    if (!dynamic) {
      String why =
          (settings.get(ConnectSettings.STATIC) == ConnectSettings.AtStart.ALL
                  ? "it came later"
                  : settings.get(ConnectSettings.FILE_IN) + " does not list it")
              + " and "
              + ConnectSettings.DYNAMIC.fullKey()
              + "=off";
      job.endpoint().futures().fixPeers(why).toCompletableFuture().join();
    }
  }

  /** Writes to whom this rank has sent messages, if that is wanted. */
  void writeUsed(Endpoint endpoint, RankMap ranks) {
    if (out().isBlank()) {
      return;
    }
    try {
      Connections used = used(endpoint, ranks);
      boolean ownFile = out().contains(PER_RANK);
      BitSet own = new BitSet();
      own.set(rank);
      String text =
          ConnectFile.write(
              used, own, settings.get(ConnectSettings.FILE_BASE), ownFile || rank == 0);
      Path file = Path.of(ConnectFile.nameFor(out(), rank));
      if (ownFile) {
        write(file, text);
      } else {
        // one write, so the lines of ranks that end at once do not mix
        write(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException | SettingsException e) {
      LOG.warn("[{}] is not written: {}", ConnectSettings.FILE_OUT.fullKey(), e.getMessage());
    }
  }

  private Connections used(Endpoint endpoint, RankMap ranks)
      throws InterruptedException, ExecutionException, TimeoutException {
    List<Endpoint.FlowInfo> flows =
        new ArrayList<>(
            endpoint
                .futures()
                .flows()
                .toCompletableFuture()
                .get(COUNTING.toMillis(), TimeUnit.MILLISECONDS)
                .flows());
    flows.removeIf(flow -> messagesSent(flow.counters()) == 0);
    Connections used = new Connections(size);
    for (int other = 0; other < size; other++) {
      int to = other;
      if (flows.stream().anyMatch(flow -> flow.address().isSameEndpoint(ranks.address(to)))) {
        used.add(rank, other);
      }
    }
    return used;
  }

  private static long messagesSent(FlowCounters.Snapshot counters) {
    return counters.eagerMessagesSent()
        + counters.multiPacketMessagesSent()
        + counters.requestsSent();
  }

  private static void write(Path file, String text, OpenOption... options) {
    try {
      if (file.getParent() != null) {
        Files.createDirectories(file.getParent());
      }
      Files.write(file, text.getBytes(StandardCharsets.UTF_8), options);
    } catch (IOException e) {
      String key = ConnectSettings.FILE_OUT.fullKey();
      throw new SettingsException(key, key + "=" + file + " cannot be written: " + reason(e));
    }
  }

  /** Java's own messages are often the bare name of the file. */
  private static String reason(IOException failure) {
    return failure.getClass().getSimpleName().replaceAll("Exception$", "");
  }
}
