package io.tagfabric.launch;

import com.typesafe.config.ConfigFactory;
import io.aeron.Aeron;
import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.cluster.host.JobDirectory;
import io.tagfabric.cluster.host.LauncherWatch;
import io.tagfabric.cluster.host.RecordOutput;
import io.tagfabric.cluster.host.StartPhase;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What the ranks of the launcher's tests do; the first argument says what. */
final class TestRank {
  private TestRank() {}

  public static void main(String[] args) throws Exception {
    Settings settings = Settings.of(ConfigFactory.load());
    JobSpec job = JobSpec.fromSettings(settings);
    JobDirectory directory = JobDirectory.join(HostDirectory.locate(settings), job.jobKey());
    switch (args[0]) {
      case "print" -> print(job, args);
      case "chat" -> chat(job, Integer.parseInt(args[1]));
      case "bytes" -> {
        System.out.write(oddBytes(job.rank()));
        System.out.flush();
      }
      case "exit" -> System.exit(Integer.parseInt(args[1]));
      case "fail" -> failOne(job, directory, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
      case "kill" -> {
        directory.markFormed();
        if (job.rank() == Integer.parseInt(args[1])) {
          Runtime.getRuntime().exec(new String[] {"kill", "-9", pid()}).waitFor();
        }
        hang("");
      }
      case "stopparent" -> {
        LauncherWatch.start(job.launcherPid(), () -> Runtime.getRuntime().halt(9));
        directory.markFormed();
        String agent = Long.toString(job.launcherPid());
        if (job.rank() == Integer.parseInt(args[1])) {
          Runtime.getRuntime().exec(new String[] {"kill", "-STOP", agent}).waitFor();
        }
        hang("");
      }
      case "hang" -> hang("");
      case "child" -> {
        Process child = new ProcessBuilder("sleep", "600").inheritIO().start();
        System.out.println("child " + child.pid());
        hang("");
      }
      case "outlive" -> outlive(job, directory, Integer.parseInt(args[1]));
      case "end" -> {
        if (job.rank() == 0) {
          directory.markEnding(Integer.parseInt(args[1]));
          System.exit(Integer.parseInt(args[1]));
        }
        hang("");
      }
      case "variable" -> {
        for (String name : List.of(args).subList(1, args.length)) {
          System.out.println(name + "=" + System.getenv(name));
        }
      }
      case "places" ->
          System.out.println(
              System.getProperty("user.dir") + "|" + System.getProperty("java.class.path"));
      case "killparent" -> {
        LauncherWatch.start(job.launcherPid(), () -> Runtime.getRuntime().halt(9));
        directory.markFormed();
        if (job.rank() == Integer.parseInt(args[1])) {
          ProcessHandle.current().parent().orElseThrow().destroyForcibly();
        }
        hang("");
      }
      case "cut-short" -> {
        directory.mark(job.rank(), job.rank() == 0 ? StartPhase.EXITED : StartPhase.CUT_SHORT);
        directory.markEnding(0);
      }
      case "end-alone" -> {
        if (job.rank() == 0) {
          directory.markEnding(Integer.parseInt(args[1]));
        }
        outlive(job, directory, Integer.parseInt(args[1]));
      }
      case "slow", "stuck" -> {
        if (job.rank() == 1) {
          Runnable hook = args[0].equals("slow") ? TestRank::endSlowly : TestRank::forever;
          Runtime.getRuntime().addShutdownHook(new Thread(hook));
          Files.createFile(directory.path().resolve("hooked"));
        } else {
          while (Files.notExists(directory.path().resolve("hooked"))) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
          }
          directory.markEnding(Integer.parseInt(args[1]));
          System.exit(Integer.parseInt(args[1]));
        }
        hang("");
      }
      case "stubborn" -> {
        Runtime.getRuntime().addShutdownHook(new Thread(TestRank::forever));
        hang("");
      }
      case "watch" -> {
        LauncherWatch.start(job.launcherPid(), () -> Runtime.getRuntime().halt(9));
        hang(" on port " + job.port());
      }
      case "aeron" -> connect(job);
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private static void print(JobSpec job, String[] args) throws IOException {
    System.out.println("rank " + job.rank() + " of " + job.size() + " input " + System.in.read());
    System.err.println("error of " + job.rank());
    System.out.println(String.join("|", args));
    System.out.print("no end of line");
  }

  /** So many lines of 100 bytes with their end. */
  private static void chat(JobSpec job, int lines) {
    for (int line = 1; line <= lines; line++) {
      String text = "line " + line + " of rank " + job.rank() + " ";
      System.out.print(text + ".".repeat(99 - text.length()) + "\n");
    }
    System.out.flush();
  }

  /** What a launcher might take for something else: a mark, a long line, no end of line. */
  static byte[] oddBytes(int rank) {
    byte[] bytes = new byte[300_000 + rank];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i < 200_000 ? 'x' : i);
    }
    bytes[0] = RecordOutput.RECORD_SEPARATOR;
    return bytes;
  }

  private static void failOne(JobSpec job, JobDirectory directory, int rank, int code) {
    if (code < 100) {
      directory.markFormed();
    }
    if (job.rank() == rank) {
      System.out.println("about to fail");
      System.exit(code);
    }
    hang("");
  }

  private static void connect(JobSpec job) {
    String directory = job.aeronDirectory().orElseThrow().toString();
    try (Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(directory))) {
      System.out.println("client " + (aeron.clientId() >= 0 ? "connected" : "lost"));
    }
  }

  /** Rank 0 fails; the others end well once they have been told. */
  private static void outlive(JobSpec job, JobDirectory directory, int code) {
    directory.markFormed();
    if (job.rank() == 0) {
      System.exit(code);
    }
    directory
        .endedRanks()
        .watch(
            (rank, ended) -> {
              System.out.println("rank " + rank + " ended with " + ended);
              System.exit(0);
            });
    forever();
  }

  private static void hang(String more) {
    System.out.println("pid " + pid() + more);
    forever();
  }

  /** Longer than {@code launch.terminate-grace} of the test, shorter than an end may take. */
  private static void endSlowly() {
    long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
    for (long now = System.nanoTime(); now - endNs < 0; now = System.nanoTime()) {
      LockSupport.parkNanos(endNs - now);
    }
    System.out.println("ended in order");
    System.out.flush();
  }

  private static void forever() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static String pid() {
    return Long.toString(ProcessHandle.current().pid());
  }
}
