package io.tagfabric.simulation.ranks;

import io.tagfabric.cluster.host.SharedVariables;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.runtime.ProcessControl;
import io.tagfabric.simulation.isolate.ProgramCode;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The JVM of several ranks; ends when all of them have. A launcher starts it with their numbers
 * ({@code 0-3}), the class path of the program, the class with its {@code main} and the arguments
 * of that; the environment has their {@link SharedVariables}, and the launcher reads what they
 * print from {@link io.tagfabric.cluster.host.RankFrames}.
 */
public final class RanksMain {
  private static final long LAST_HOOKS_S = 5;

  private RanksMain() {}

  /** Runs the ranks. */
  public static void main(String[] arguments) {
    String[] numbers = arguments[0].split("-", 2);
    ProgramCode code = ProgramCode.of(places(arguments[1]));
    RankStreams streams =
        new RankStreams(
            new FileOutputStream(FileDescriptor.out), new FileOutputStream(FileDescriptor.err));
    InputStream in = System.in;
    System.setOut(streams.shared(() -> Rank.ofThread().map(Rank.Program::out).orElse(null)));
    System.setErr(streams.shared(() -> Rank.ofThread().map(Rank.Program::err).orElse(null)));
    // for the log, which all ranks share
    System.setProperty(JobSettings.RANK.variable(), arguments[0]);
    List<Rank> ranks = new ArrayList<>();
    for (int rank = Integer.parseInt(numbers[0]); rank <= Integer.parseInt(numbers[1]); rank++) {
      ranks.add(
          new Rank(
              rank,
              code,
              SharedVariables.ofRank(rank, System.getenv()),
              rank == 0 ? in : InputStream.nullInputStream(),
              streams));
    }
    Runtime.getRuntime().addShutdownHook(new Thread(() -> endWithJvm(ranks), "ranks-end"));
    String[] rest = Arrays.copyOfRange(arguments, 3, arguments.length);
    ranks.forEach(rank -> rank.start(arguments[2], rest.clone()));
    for (Rank rank : ranks) {
      rank.process().whenEnded().toCompletableFuture().join();
    }
    haltLater();
    System.exit(ExitCode.OK);
  }

  private static List<Path> places(String classPath) {
    return classPath.isEmpty()
        ? List.of()
        : Arrays.stream(classPath.split(File.pathSeparator, -1)).map(Path::of).toList();
  }

  /** A signal ends each rank as if it had come to the rank alone. */
  private static void endWithJvm(List<Rank> ranks) {
    Optional<Integer> signal = ProcessControl.JVM.signal();
    CompletableFuture.allOf(
            ranks.stream()
                .map(Rank::process)
                .filter(process -> !process.hasEnded())
                .map(process -> ending(process, signal))
                .toArray(CompletableFuture<?>[]::new))
        .join();
  }

  private static CompletableFuture<?> ending(RankProcess process, Optional<Integer> signal) {
    CompletableFuture<Void> over = new CompletableFuture<>();
    Thread end =
        new Thread(
            () -> {
              if (signal.isPresent()) {
                process.end(signal.get());
              } else {
                process.endWithJvm();
              }
              over.complete(null);
            },
            "rank-end");
    end.start();
    return signal.isPresent() ? process.whenEnded().toCompletableFuture() : over;
  }

  /** Hooks that libraries have added to the JVM may hang. */
  private static void haltLater() {
    Thread watchdog =
        new Thread(
            () -> {
              long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LAST_HOOKS_S);
              while (System.nanoTime() - endNs < 0) {
                LockSupport.parkNanos(endNs - System.nanoTime());
              }
              Runtime.getRuntime().halt(ExitCode.OK);
            },
            "ranks-watchdog");
    watchdog.setDaemon(true);
    watchdog.start();
  }
}
