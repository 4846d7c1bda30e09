package io.tagfabric.trials.soak;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.LossPolicy;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.error.FabricException;
import io.tagfabric.job.Job;
import io.tagfabric.launch.JobLauncher;
import io.tagfabric.launch.LaunchOptions;
import io.tagfabric.launch.LocalJob;
import io.tagfabric.launch.output.LineStream;
import io.tagfabric.tag.TagSelector;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** Runs a soak where its options say: in this JVM, or as two ranks that it starts. */
final class Soak {
  /** Nothing ends for so long: what is missing counts as lost. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

  /** Of what ranks tell one another in words. */
  static final Charset CHARSET = StandardCharsets.US_ASCII;

  private static final Duration PAUSE = Duration.ofMillis(1);
  private static final long SUMMARY = 0x50A4;

  private final SoakOptions options;

  Soak(SoakOptions options) {
    this.options = options;
  }

  /** Runs it in this JVM. */
  int runHere(PrintWriter out, PrintWriter err) {
    SoakReport report = new SoakReport(options, out, err);
    try (LocalSoak pair = new LocalSoak(options)) {
      drive(List.of(pair.near(), pair.far()), report);
      return report.end(pair.near().tally().plus(pair.far().tally()));
    } catch (FabricException failure) {
      err.println("soak: " + failure.getMessage() + ", repeat with --seed " + options.seed);
      err.flush();
      return ExitCode.FAILED;
    }
  }

  /** Starts the ranks and waits for them. */
  int runRanks() {
    FileOutputStream err = new FileOutputStream(FileDescriptor.err);
    return options.kills > 0 ? runKills(err) : run(2, LaunchOptions.defaults(), err);
  }

  private int run(int ranks, LaunchOptions launch, OutputStream err) {
    Settings settings = Settings.of(ConfigFactory.load());
    LocalJob job =
        new LocalJob(
            ranks,
            SoakRank.class.getName(),
            options.arguments(),
            options.profile == null ? settings.get(JobSettings.PROFILE) : options.profile,
            List.of(),
            Optional.empty(),
            false,
            launch);
    FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    return new JobLauncher(settings, System.getenv(), out, err).run(job);
  }

  /** The job's own code is that of a rank that was killed, so rank 0 says how it went. */
  private int runKills(OutputStream err) {
    boolean[] fine = {false};
    PrintStream screen = new PrintStream(err, true, Charset.defaultCharset());
    LineStream lines =
        new LineStream(
            line -> {
              fine[0] |= line.endsWith(KillSoak.FINE);
              screen.println(line);
            });
    int code =
        run(options.kills + 2, LaunchOptions.defaults().withOnLoss(LossPolicy.CONTINUE), lines);
    lines.endLine();
    if (code == ExitCode.INTERRUPTED || code == ExitCode.TERMINATED) {
      return code;
    }
    return fine[0] ? ExitCode.OK : ExitCode.FAILED;
  }

  /**
   * What each of the ranks does.
   *
   * @param cuts how many connections have been cut before this rank
   */
  int runAsRank(Job job, IntSupplier cuts, PrintWriter out, PrintWriter err) {
    if (options.kills > 0) {
      return new KillSoak(job, options, out, err).run();
    }
    int other = job.peer(1 - job.rank());
    SoakReport report = new SoakReport(options, out, err);
    SoakSide side = new SoakSide(job.endpoint(), other, job.rank(), options);
    drive(List.of(side), report);
    // The other may still need this one's acknowledgements and replays.
    job.barrier();
    Tally own = side.tally().withCuts(cuts.getAsInt());
    var futures = job.endpoint().futures();
    if (job.rank() == 1) {
      futures.sendTagged(other, own.encode(), SUMMARY).toCompletableFuture().join();
      job.barrier();
      return own.isClean() ? ExitCode.OK : ExitCode.FAILED;
    }
    byte[] theirs =
        futures
            .receiveTagged(TagSelector.exact(SUMMARY).from(other))
            .toCompletableFuture()
            .join()
            .payload()
            .array();
    job.barrier();
    return report.end(own.plus(Tally.decode(theirs)));
  }

  /** Drives the sides until all is done, or nothing has happened for too long. */
  private void drive(List<SoakSide> sides, SoakReport report) {
    long total = sides.stream().mapToLong(SoakSide::expected).sum();
    long last = -1;
    long lastNs = System.nanoTime();
    int turn = 0;
    while (!sides.stream().allMatch(SoakSide::isDone)) {
      int work = 0;
      for (SoakSide side : sides) {
        work += side.step();
      }
      if (work == 0) {
        sides.get(turn++ % sides.size()).waitBriefly(PAUSE);
      }
      long progress = sides.stream().mapToLong(SoakSide::progress).sum();
      if (progress != last) {
        last = progress;
        lastNs = System.nanoTime();
      } else if (System.nanoTime() - lastNs > PATIENCE_NS) {
        return;
      }
      report.progress(
          sides.stream().mapToLong(SoakSide::received).sum(),
          total,
          sides.stream().mapToLong(SoakSide::wrong).sum());
    }
  }
}
