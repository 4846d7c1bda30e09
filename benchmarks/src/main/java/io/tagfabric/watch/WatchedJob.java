package io.tagfabric.watch;

import io.tagfabric.report.JsonLine;
import io.tagfabric.trace.LiveRecording;
import io.tagfabric.trace.TraceEvent;
import io.tagfabric.trace.TraceKind;
import io.tagfabric.trace.WatchDesk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** The domains of a running job, followed in the files of their recorders. Thread: any. */
final class WatchedJob {
  /** Messages that a page can show in one look; of more, one in two, four and so on is shown. */
  private static final int MOST_MESSAGES = 120;

  /** How long a domain may take to obey what it was told before. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);

  private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(5);

  /**
   * What has become of a command.
   *
   * @param domains that were told
   * @param busy domains that were not, as they did not answer in time
   */
  record Told(int domains, int busy) {}

  private final Path directory;
  private final Map<Path, WatchedDomain> domains = new HashMap<>();
  private final Map<Long, WatchedDomain> byIncarnation = new HashMap<>();
  private int oneOf = 1;
  private boolean skipping;

  WatchedJob(Path directory) {
    this.directory = directory;
  }

  /** Whether there were domains, and all their processes have ended. */
  synchronized boolean hasEnded() {
    return !domains.isEmpty() && domains.values().stream().allMatch(WatchedDomain::isGone);
  }

  /** Looks for domains that have opened, and says to all that somebody watches. */
  synchronized void look() {
    try (Stream<Path> files = Files.walk(directory)) {
      files
          .filter(file -> !domains.containsKey(file) && Files.isRegularFile(file))
          .sorted()
          .forEach(this::open);
    } catch (IOException | UncheckedIOException comesAndGoes) {
      // The next look will find them, if the job has not ended.
    }
    domains.values().forEach(domain -> domain.desk().beat());
  }

  private void open(Path file) {
    try {
      WatchedDomain domain = new WatchedDomain(domains.size(), LiveRecording.open(file));
      domains.put(file, domain);
      byIncarnation.putIfAbsent(domain.incarnation(), domain);
    } catch (IOException notBegun) {
      // It is there with the next look.
    }
  }

  private List<WatchedDomain> sorted() {
    return domains.values().stream()
        .sorted(Comparator.comparingInt(WatchedDomain::rank).thenComparingInt(WatchedDomain::lane))
        .toList();
  }

  /** Nobody looks: what happens now is not shown later. */
  synchronized void skip() {
    skipping = true;
    domains.values().forEach(WatchedDomain::skip);
  }

  /**
   * Tells domains what to do. One that has not obeyed the last command yet, or that another server
   * tells something, is waited for.
   *
   * @param rank of those that are told, -1 for all
   * @return how many were told, and how many were not, since they did not answer in time
   */
  Told tell(int rank, WatchDesk.Command command) {
    List<WatchedDomain> meant = meant(rank);
    Set<WatchedDomain> left = new LinkedHashSet<>(meant);
    long endNs = System.nanoTime() + PATIENCE_NS;
    tellSome(left, command);
    while (!left.isEmpty() && System.nanoTime() - endNs < 0) {
      LockSupport.parkNanos(RETRY_NS);
      tellSome(left, command);
    }
    return new Told(meant.size() - left.size(), left.size());
  }

  private synchronized List<WatchedDomain> meant(int rank) {
    return domains.values().stream()
        .filter(domain -> rank < 0 || domain.rank() == rank)
        .filter(domain -> !domain.isClosed() && domain.desk().obeys())
        .toList();
  }

  private static void tellSome(Set<WatchedDomain> left, WatchDesk.Command command) {
    left.removeIf(domain -> domain.isClosed() || domain.tell(command));
  }

  /** Lets those go on that this server has frozen. */
  void release() {
    for (WatchedDomain domain : meant(-1)) {
      if (domain.isFrozenByThis()) {
        tell(domain.rank(), WatchDesk.Command.GO);
      }
    }
  }

  /** What has happened since the last time, as one line of JSON. */
  synchronized String read() {
    if (skipping) {
      domains.values().forEach(WatchedDomain::recall);
      skipping = false;
    }
    List<JsonLine> lanes = new ArrayList<>();
    List<JsonLine> messages = new ArrayList<>();
    long seen = 0;
    for (WatchedDomain domain : sorted()) {
      for (TraceEvent event : domain.read()) {
        String what = what(event.kind());
        if (what != null) {
          seen++;
          if (event.number() % oneOf == 0) {
            messages.add(message(domain, event, what));
          }
        }
      }
      lanes.add(domain.line(this::peer));
    }
    JsonLine line =
        new JsonLine()
            .put("lanes", lanes)
            .put("messages", messages)
            .put("oneOf", oneOf)
            .put("seen", seen);
    oneOf = (int) Math.max(1, Long.highestOneBit(seen / MOST_MESSAGES));
    return line.toString();
  }

  private static String what(TraceKind kind) {
    return switch (kind) {
      case SENT, ARRIVED, KEPT, MATCHED -> kind.name().toLowerCase(Locale.ROOT);
      default -> null;
    };
  }

  private JsonLine message(WatchedDomain domain, TraceEvent event, String what) {
    boolean isSent = event.kind() == TraceKind.SENT;
    long other = event.extra();
    long receiver = isSent ? other : domain.incarnation();
    JsonLine message =
        new JsonLine()
            .put("what", what)
            .put(
                "id",
                Long.toHexString(event.flow())
                    + "."
                    + Long.toHexString(receiver)
                    + "."
                    + event.number())
            .put("lane", domain.lane())
            .put("peer", lane(other))
            .put("tag", Long.toHexString(event.tag()));
    return isSent
        ? message
            .put("bytes", event.length())
            .put("way", TraceKind.Way.of(event.how()).map(Enum::name).orElse(""))
        : message;
  }

  private int lane(long incarnation) {
    WatchedDomain domain = byIncarnation.get(incarnation);
    return domain == null ? -1 : domain.lane();
  }

  private String peer(long incarnation) {
    WatchedDomain domain = byIncarnation.get(incarnation);
    return domain == null ? "?" : "rank " + domain.rank();
  }
}
