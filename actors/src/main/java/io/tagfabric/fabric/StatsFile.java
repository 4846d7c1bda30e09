package io.tagfabric.fabric;

import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.fabric.stats.DomainStats;
import io.tagfabric.runtime.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what the domains of an ActorSystem have done into a file of lines {@code key=value}: when
 * one of them has closed, and when the process ends. A process that is killed writes no more.
 * Thread: any.
 */
final class StatsFile {
  private static final Logger LOG = LoggerFactory.getLogger(StatsFile.class);
  private static final String RANK = "%";

  private final Path file;
  private final int rank;
  private final Map<String, DomainStats> ended = new LinkedHashMap<>();
  private final Set<DomainObserver> open =
      new TreeSet<>((one, other) -> one.id().compareTo(other.id()));

  private StatsFile(Path file, int rank) {
    this.file = file;
    this.rank = rank;
  }

  /** The one that the settings name; null if they name none. */
  static StatsFile of(Settings settings, Environment environment) {
    String name = settings.get(FabricSettings.STATS_FILE);
    if (name.isBlank()) {
      return null;
    }
    int rank = settings.get(JobSettings.RANK);
    StatsFile stats = new StatsFile(Path.of(name.replace(RANK, Integer.toString(rank))), rank);
    environment.process().addShutdownHook("tagfabric-stats", stats::atEnd);
    return stats;
  }

  /** A domain has opened. */
  synchronized void opened(DomainObserver domain) {
    open.add(domain);
  }

  /** It has closed. */
  synchronized void closed(DomainObserver domain, DomainStats last) {
    open.remove(domain);
    ended.put(domain.id(), last);
    write();
  }

  private void atEnd() {
    List<DomainObserver> left;
    synchronized (this) {
      left = List.copyOf(open);
    }
    Map<DomainObserver, DomainStats> read = new LinkedHashMap<>();
    left.forEach(domain -> read.put(domain, domain.read())); // outside: a close may be under way
    synchronized (this) {
      read.keySet().retainAll(open);
      read.forEach((domain, last) -> ended.put(domain.id(), last));
      if (!read.isEmpty() || ended.isEmpty()) {
        write();
      }
    }
  }

  private void write() {
    List<String> lines = new ArrayList<>();
    lines.add("rank=" + rank);
    lines.add("process=" + ProcessHandle.current().pid());
    ended.forEach((domain, stats) -> add("domain." + domain + ".", stats, lines));
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        Files.write(file, lines); // a device or a pipe, which no file must take the place of
      } else {
        replace(lines);
      }
    } catch (IOException e) {
      LOG.warn("statistics of rank [{}] are not written to [{}]: {}", rank, file, e.toString());
    }
  }

  /** Nobody reads half of it; what was there before stays if there is no room for more. */
  private void replace(List<String> lines) throws IOException {
    Path whole = file.resolveSibling(file.getFileName() + ".part");
    try {
      Files.write(whole, lines);
      Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(whole);
    }
  }

  private static void add(String prefix, DomainStats stats, List<String> lines) {
    stats.values().forEach((name, value) -> lines.add(prefix + name + "=" + value));
    int number = 0;
    for (Map.Entry<String, Map<String, Long>> flow : stats.flows().entrySet()) {
      String its = prefix + "flow." + number++ + ".";
      lines.add(its + "peer=" + flow.getKey());
      lines.add(its + "provider=" + stats.providers().get(flow.getKey()));
      flow.getValue().forEach((name, value) -> lines.add(its + name + "=" + value));
    }
  }
}
