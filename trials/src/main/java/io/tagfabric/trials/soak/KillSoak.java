package io.tagfabric.trials.soak;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionHandler;
import io.tagfabric.job.Job;
import io.tagfabric.report.Rows;
import io.tagfabric.tag.TagSelector;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A soak of many senders to rank 0, which has all but the last one killed while their messages are
 * under way, as by kill -9. Thread: one, but for the kills.
 */
final class KillSoak {
  /** Rank 0 says this at the end if all was as it should be. */
  static final String FINE = "every sender was as it should be";

  private static final long PROCESS = 0x50A5;
  private static final long END = 0x50A6;
  private static final int LATEST_KILL = 100_000;
  private static final int MOST_DELAY_US = 2_000;
  private static final int BATCH = 256;
  private static final Duration PAUSE = Duration.ofMillis(1);
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
  private static final long REPORT_NS = TimeUnit.SECONDS.toNanos(2);

  private final Job job;
  private final SoakOptions options;
  private final PrintWriter out;
  private final PrintWriter err;
  private final long beginNs = System.nanoTime();

  KillSoak(Job job, SoakOptions options, PrintWriter out, PrintWriter err) {
    this.job = job;
    this.options = options;
    this.out = out;
    this.err = err;
  }

  /** What a rank does. */
  int run() {
    return job.rank() == 0 ? collect() : send();
  }

  /** The last rank sends so many as the options say and is not killed, the others send for ever. */
  private MessageStream stream(int rank) {
    boolean stays = rank == job.size() - 1;
    return new MessageStream(
        options.seed * 64L + rank, stays ? options.messages : Integer.MAX_VALUE, false);
  }

  // ---- senders ----

  private int send() {
    int collector = job.peer(0);
    var futures = job.endpoint().futures();
    byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(Soak.CHARSET);
    futures.sendTagged(collector, pid, PROCESS).toCompletableFuture().join();
    Sender sender = new Sender(job.endpoint(), collector, stream(job.rank()));
    long last = -1;
    long lastNs = System.nanoTime();
    while (!sender.isDone()) {
      if (sender.step() == 0) {
        job.endpoint().transmitQueue().readBlocking(sender, BATCH, PAUSE);
      }
      if (sender.completed() != last) {
        last = sender.completed();
        lastNs = System.nanoTime();
      } else if (System.nanoTime() - lastNs > PATIENCE_NS) {
        err.println("soak: rank " + job.rank() + " could send no more, completed=" + last);
        err.flush();
        return ExitCode.FAILED;
      }
    }
    futures.receiveTagged(TagSelector.exact(END).from(collector)).toCompletableFuture().join();
    return ExitCode.OK;
  }

  // ---- rank 0 ----

  private int collect() {
    SplittableRandom random = new SplittableRandom(options.seed);
    List<VictimStream> senders = new ArrayList<>();
    for (int rank = 1; rank < job.size(); rank++) {
      int peer = job.peer(rank);
      long pid = processOf(peer);
      boolean stays = rank == job.size() - 1;
      long killAfter = stays ? Long.MAX_VALUE : 1 + random.nextInt(LATEST_KILL);
      int delayUs = random.nextInt(MOST_DELAY_US);
      senders.add(
          new VictimStream(
              job.endpoint(), peer, stream(rank), killAfter, came -> kill(pid, delayUs)));
    }
    drive(senders);
    VictimStream last = senders.get(senders.size() - 1);
    if (last.isDone()) {
      byte[] nothing = {};
      int peer = job.peer(job.size() - 1);
      job.endpoint().futures().sendTagged(peer, nothing, END).toCompletableFuture().join();
    }
    return report(senders);
  }

  private long processOf(int peer) {
    byte[] pid =
        job.endpoint()
            .futures()
            .receiveTagged(TagSelector.exact(PROCESS).from(peer))
            .toCompletableFuture()
            .join()
            .payload()
            .array();
    return Long.parseLong(new String(pid, Soak.CHARSET));
  }

  /** Not at once: what rank 0 does at that moment shall not decide where its sender dies. */
  private static void kill(long pid, int delayUs) {
    CompletableFuture.delayedExecutor(delayUs, TimeUnit.MICROSECONDS)
        .execute(() -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
  }

  private void drive(List<VictimStream> senders) {
    CompletionHandler handler = KillSoak::onEnded;
    long last = -1;
    long lastNs = System.nanoTime();
    long nextReportNs = lastNs + REPORT_NS;
    while (!senders.stream().allMatch(VictimStream::isDone)) {
      int work = 0;
      for (VictimStream sender : senders) {
        work += sender.post();
      }
      work += job.endpoint().receiveQueue().read(handler, BATCH);
      if (work == 0) {
        job.endpoint().receiveQueue().readBlocking(handler, BATCH, PAUSE);
      }
      long progress = received(senders) + cutOff(senders);
      long nowNs = System.nanoTime();
      if (progress != last) {
        last = progress;
        lastNs = nowNs;
      } else if (nowNs - lastNs > PATIENCE_NS) {
        err.println("soak: nothing has come for a minute, " + senders);
        return;
      }
      if (nowNs - nextReportNs >= 0) {
        nextReportNs = nowNs + REPORT_NS;
        err.printf(
            Locale.ROOT,
            "soak: %,d received, %d of %d senders killed and lost, %.1f s%n",
            received(senders),
            lost(senders),
            options.kills,
            seconds());
        err.flush();
      }
    }
  }

  private static void onEnded(CompletionEntry entry) {
    VictimStream.Slot slot = (VictimStream.Slot) entry.context();
    slot.stream().onEnded(entry, slot);
  }

  private static long received(List<VictimStream> senders) {
    return senders.stream().mapToLong(VictimStream::received).sum();
  }

  private static long cutOff(List<VictimStream> senders) {
    return senders.stream().mapToLong(VictimStream::cutOff).sum();
  }

  private static long lost(List<VictimStream> senders) {
    return senders.stream().filter(VictimStream::isLost).count();
  }

  private double seconds() {
    return (System.nanoTime() - beginNs) / 1e9;
  }

  private int report(List<VictimStream> senders) {
    long corrupted = senders.stream().mapToLong(VictimStream::corrupted).sum();
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("killed", lost(senders));
    row.put("received", received(senders));
    row.put("corrupted", corrupted);
    row.put("cut_off", cutOff(senders));
    row.put("seconds", seconds());
    String[] shown = row.keySet().toArray(String[]::new);
    row.put("provider", options.provider);
    row.put("seed", options.seed);
    new Rows(out, options.json, "%-8d%-12d%-11d%-9d%.1f", shown).add(row);
    List<String> troubles =
        senders.stream().map(VictimStream::trouble).filter(text -> !text.isEmpty()).toList();
    troubles.forEach(trouble -> err.println("soak: " + trouble));
    boolean fine =
        corrupted == 0
            && troubles.isEmpty()
            && lost(senders) == options.kills
            && senders.stream().allMatch(VictimStream::isDone);
    err.println(
        fine ? "soak: " + FINE : "soak: something went wrong, repeat with --seed " + options.seed);
    err.flush();
    return fine ? ExitCode.OK : ExitCode.FAILED;
  }
}
