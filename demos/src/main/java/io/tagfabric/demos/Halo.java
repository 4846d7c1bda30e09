package io.tagfabric.demos;

import io.tagfabric.access.Access;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.Counter;
import io.tagfabric.job.Job;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.RegionOptions;
import io.tagfabric.memory.RegionRight;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Heat that spreads on a plate, of which each rank has some rows. A rank writes its border rows
 * straight into the memory of its neighbours, with a signal, and waits for the counter that theirs
 * raise: nobody posts a receive. Each rank compares its rows with a calculation of its own.
 *
 * <p>Run it: {@code tagfabric run -n 2 halo}
 */
@Command(name = "halo", description = "Border rows of a plate, written into neighbours' memory.")
public final class Halo extends HelpOption {
  private static final SendOptions SILENT = SendOptions.DEFAULT.at(CompletionLevel.INJECT).silent();

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "20000",
      description = "How many steps of time (default: ${DEFAULT-VALUE}).")
  private int steps;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "24",
      description = "Rows of each rank (default: ${DEFAULT-VALUE}).")
  private int rows;

  @Option(
      names = "--columns",
      paramLabel = "N",
      defaultValue = "64",
      description = "Columns of the plate (default: ${DEFAULT-VALUE}).")
  private int columns;

  private Halo() {}

  public static void main(String[] args) {
    Halo halo = new Halo();
    Arguments.parse(
        halo,
        args,
        size ->
            halo.steps < 1
                    || halo.rows < 1
                    || halo.columns < 3
                    || (long) halo.rows * size * halo.columns > 1 << 24
                ? "--steps and --rows must be at least 1, --columns 3, and the plate 2^24 cells"
                : null);
    Job.run(args, halo::run);
  }

  /** What a neighbour writes here: its border row, by turns in one of two places. */
  private final class Inbox {
    final UnsafeBuffer bytes = new UnsafeBuffer(new byte[2 * rowBytes()]);
    final Counter written;

    Inbox(Job job, long key) {
      written = job.domain().openCounter();
      job.domain()
          .register(
              bytes,
              Set.of(RegionRight.REMOTE_WRITE),
              RegionOptions.DEFAULT.withKey(key).counting(written));
    }

    /** Waits for the row of a step, and copies it. */
    void take(int step, double[] row) {
      if (!written.await(step + 1, Duration.ofSeconds(60))) {
        throw new IllegalStateException(
            "no row of step=" + step + " has come, written=" + written.value());
      }
      for (int x = 0; x < columns; x++) {
        row[x] = bytes.getDouble(step % 2 * rowBytes() + x * Double.BYTES, ByteOrder.LITTLE_ENDIAN);
      }
    }
  }

  private static final long FROM_ABOVE = 1;
  private static final long FROM_BELOW = 2;

  private int rowBytes() {
    return columns * Double.BYTES;
  }

  private int run(Job job) {
    boolean above = job.rank() > 0;
    boolean below = job.rank() < job.size() - 1;
    Inbox fromAbove = above ? new Inbox(job, FROM_ABOVE) : null;
    Inbox fromBelow = below ? new Inbox(job, FROM_BELOW) : null;
    int all = job.size() * rows;
    double[][] mine = new double[rows + 2][];
    for (int y = 0; y < mine.length; y++) {
      mine[y] = firstRow(job.rank() * rows + y - 1, all);
    }
    // A row's buffer is the endpoint's until the row of the next step but one is written.
    UnsafeBuffer[] goes = new UnsafeBuffer[4];
    Arrays.setAll(goes, i -> new UnsafeBuffer(new byte[rowBytes()]));
    job.barrier();

    long beginNs = System.nanoTime();
    for (int step = 0; step < steps; step++) {
      if (step == steps / 2) {
        beginNs = System.nanoTime(); // the first half has warmed up
      }
      if (above) {
        write(job, job.rank() - 1, FROM_BELOW, step, mine[1], goes[step % 2]);
      }
      if (below) {
        write(job, job.rank() + 1, FROM_ABOVE, step, mine[rows], goes[2 + step % 2]);
      }
      if (above) {
        fromAbove.take(step, mine[0]);
      }
      if (below) {
        fromBelow.take(step, mine[rows + 1]);
      }
      mine = next(mine);
    }
    long elapsedNs = System.nanoTime() - beginNs;
    check(job, mine, all);
    System.out.printf(
        Locale.ROOT,
        "rank %d: %d rows are right after %d steps, %.1f us a step in the second half%n",
        job.rank(),
        rows,
        steps,
        elapsedNs / 1e3 / (steps - steps / 2));
    job.barrier();
    return 0;
  }

  private void write(Job job, int rank, long key, int step, double[] row, UnsafeBuffer bytes) {
    for (int x = 0; x < columns; x++) {
      bytes.putDouble(x * Double.BYTES, row[x], ByteOrder.LITTLE_ENDIAN);
    }
    RegionDescriptor there = RegionDescriptor.agreed(key, 2L * rowBytes());
    RemoteRegion region = new RemoteRegion(job.peer(rank), there);
    Access write =
        Access.write(region, (long) (step % 2) * rowBytes(), bytes).signal().with(SILENT);
    Posted posted = job.endpoint().memory().post(write, null);
    if (posted != Posted.POSTED) {
      throw new IllegalStateException("no room for the row of step=" + step);
    }
  }

  /** The plate is cold but for a hot spot. */
  private double[] firstRow(int y, int all) {
    double[] row = new double[columns];
    if (y >= 0 && y < all) {
      for (int x = 0; x < columns; x++) {
        int distance = Math.abs(x - columns / 2) + Math.abs(y - all / 2);
        row[x] = distance < 8 ? 100 - 10 * distance : 0;
      }
    }
    return row;
  }

  /** One step of time; the first and the last row, and the edges, stay. */
  private static double[][] next(double[][] plate) {
    double[][] after = new double[plate.length][];
    after[0] = plate[0].clone();
    after[plate.length - 1] = plate[plate.length - 1].clone();
    for (int y = 1; y < plate.length - 1; y++) {
      double[] row = plate[y].clone();
      for (int x = 1; x < row.length - 1; x++) {
        row[x] = (plate[y - 1][x] + plate[y + 1][x] + plate[y][x - 1] + plate[y][x + 1]) / 4;
      }
      after[y] = row;
    }
    return after;
  }

  private void check(Job job, double[][] mine, int all) {
    double[][] whole = new double[all + 2][];
    for (int y = 0; y < whole.length; y++) {
      whole[y] = firstRow(y - 1, all);
    }
    for (int step = 0; step < steps; step++) {
      whole = next(whole);
    }
    for (int y = 1; y <= rows; y++) {
      if (!Arrays.equals(mine[y], whole[job.rank() * rows + y])) {
        throw new IllegalStateException("row " + y + " of rank " + job.rank() + " is wrong");
      }
    }
  }
}
