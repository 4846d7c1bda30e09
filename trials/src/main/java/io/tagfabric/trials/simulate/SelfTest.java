package io.tagfabric.trials.simulate;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.report.JsonLine;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;

/**
 * Proves that runs find defects: each is put back into the code in a class loader of its own, and
 * seeds run from 1 on until some of them have found it.
 */
final class SelfTest {
  /** The mean is that of so many finds, as far as they lie within the first seeds. */
  private static final int FINDS = 5;

  private static final int SEEDS_FOR_MEAN = 600;

  private final SimulateOptions options;
  private final PrintWriter out;
  private final PrintWriter err;
  private final Map<Defect, Found> found = new TreeMap<>();

  /**
   * What has come of a defect.
   *
   * @param first seed that has found it, -1 if none has
   * @param mean seeds for a find
   */
  private record Found(long first, double mean, String violation, long seeds) {}

  SelfTest(SimulateOptions options, PrintWriter out, PrintWriter err) {
    this.options = options;
    this.out = out;
    this.err = err;
  }

  /** The exit code of the command. */
  int run() {
    ConcurrentLinkedQueue<Defect> left = new ConcurrentLinkedQueue<>(defects());
    AtomicInteger broken = new AtomicInteger();
    List<Thread> others = new ArrayList<>();
    for (int i = 1; i < options.workers; i++) {
      Thread other = new Thread(() -> work(left, broken), "self-test-" + i);
      other.setDaemon(true);
      other.start();
      others.add(other);
    }
    work(left, broken);
    for (Thread other : others) {
      try {
        other.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    boolean all = found.values().stream().allMatch(each -> each.first >= 0);
    if (options.json) {
      out.println(line());
      out.flush();
    }
    return all && broken.get() == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  private List<Defect> defects() {
    return options.defects.isEmpty()
        ? Defect.found()
        : options.defects.stream().map(each -> Defect.of(each).orElseThrow()).toList();
  }

  private void work(ConcurrentLinkedQueue<Defect> left, AtomicInteger broken) {
    Defect defect = left.poll();
    while (defect != null) {
      try {
        say(defect, find(defect));
      } catch (ReflectiveOperationException | RuntimeException e) {
        broken.incrementAndGet();
        complain(defect, e);
      }
      defect = left.poll();
    }
  }

  private synchronized void complain(Defect defect, Exception why) {
    err.println("simulate: " + defect.label() + " cannot be put back: " + why);
    err.flush();
  }

  private Found find(Defect defect) throws ReflectiveOperationException {
    Object made =
        new PatchedLoader(defect)
            .loadClass(DefectRun.class.getName())
            .getDeclaredConstructor()
            .newInstance();
    try (AutoCloseable closing = (AutoCloseable) made;
        DefectRun sound = new DefectRun()) {
      @SuppressWarnings("unchecked") // it is the same class in another loader
      LongFunction<String> run = (LongFunction<String>) made;
      return find(run, sound);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** A seed that violates something without the defect, too, has not found it. */
  private Found find(LongFunction<String> run, LongFunction<String> sound) {
    long first = -1;
    String violation = "";
    int finds = 0;
    long seed = options.firstSeed() - 1;
    long meanUntil = seed + SEEDS_FOR_MEAN;
    while (seed < options.lastSeed() && finds < FINDS && (first < 0 || seed < meanUntil)) {
      seed++;
      String violated = run.apply(seed);
      if (violated != null && sound.apply(seed) == null) {
        finds++;
        first = first < 0 ? seed : first;
        violation = violation.isEmpty() ? violated : violation;
      }
    }
    long seeds = seed - options.firstSeed() + 1;
    return new Found(first, finds == 0 ? 0 : (double) seeds / finds, violation, seeds);
  }

  private synchronized void say(Defect defect, Found result) {
    found.put(defect, result);
    if (options.json) {
      return;
    }
    out.println(
        result.first < 0
            ? defect.label() + " (" + defect.what() + "): not found in " + result.seeds + " seeds"
            : String.format(
                Locale.ROOT,
                "%s (%s): first by seed %d, %.0f seeds in the mean; %s",
                defect.label(),
                defect.what(),
                result.first,
                result.mean,
                result.violation));
    out.flush();
  }

  private JsonLine line() {
    JsonLine line = new JsonLine();
    found.forEach(
        (defect, result) ->
            line.put(defect.label() + "_found", result.first >= 0)
                .put(defect.label() + "_first_seed", result.first)
                .put(defect.label() + "_mean_seeds", result.mean));
    return line;
  }
}
