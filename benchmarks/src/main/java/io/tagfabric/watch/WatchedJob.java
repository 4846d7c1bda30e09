package io.tagfabric.watch;

import io.tagfabric.report.JsonLine;
import io.tagfabric.timeline.Timeline;
import io.tagfabric.trace.LiveRecording;
import io.tagfabric.trace.TraceEvent;
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
final class WatchedJob implements Watched {
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
  private final MessageLines messages = new MessageLines();
  private boolean skipping;

  WatchedJob(Path directory) {
    this.directory = directory;
  }

  /** Whether there were domains, and all their processes have ended. */
  @Override
  public synchronized boolean hasEnded() {
    return !domains.isEmpty() && domains.values().stream().allMatch(WatchedDomain::isGone);
  }

  /** Looks for domains that have opened, and says to all that somebody watches. */
  @Override
  public synchronized void look() {
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
  @Override
  public synchronized void skip() {
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

  /** The words are {@code do=freeze}, go, step, auto or manual, and perhaps {@code rank=N}. */
  @Override
  public JsonLine command(Map<String, String> words) {
    WatchDesk.Command command =
        WatchDesk.Command.valueOf(words.getOrDefault("do", "").toUpperCase(Locale.ROOT));
    Told told = tell(Integer.parseInt(words.getOrDefault("rank", "-1")), command);
    return new JsonLine().put("told", told.domains()).put("busy", told.busy());
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
  @Override
  public void release() {
    for (WatchedDomain domain : meant(-1)) {
      if (domain.isFrozenByThis()) {
        tell(domain.rank(), WatchDesk.Command.GO);
      }
    }
  }

  /** What has happened since the last time, as one line of JSON. */
  @Override
  public synchronized String read() {
    if (skipping) {
      domains.values().forEach(WatchedDomain::recall);
      skipping = false;
    }
    List<JsonLine> lanes = new ArrayList<>();
    for (WatchedDomain domain : sorted()) {
      domain
          .read()
          .forEach(event -> messages.add(event, domain.lane(), domain.incarnation(), this::lane));
      lanes.add(domain.line(this::peer));
    }
    JsonLine frame = new JsonLine().put("lanes", lanes);
    messages.put(frame);
    return frame.toString();
  }

  @Override
  public Timeline timeline() throws IOException {
    return Timeline.gatherLive(directory);
  }

  private int lane(TraceEvent event) {
    WatchedDomain domain = byIncarnation.get(event.extra());
    return domain == null ? -1 : domain.lane();
  }

  private String peer(long incarnation) {
    WatchedDomain domain = byIncarnation.get(incarnation);
    return domain == null ? "?" : "rank " + domain.rank();
  }
}
