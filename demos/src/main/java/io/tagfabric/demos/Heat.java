package io.tagfabric.demos;

import io.tagfabric.collective.Team;
import io.tagfabric.collective.algorithm.Edges;
import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.collective.schedule.Blocks;
import io.tagfabric.job.Job;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Heat spreads on a square plate whose upper edge is hot. Each rank has some rows; in every step it
 * exchanges its border rows with its neighbours. At the end rank 0 gathers the plate and, if asked
 * to, writes it as a picture. The result does not depend on the number of ranks.
 *
 * <p>Run it: {@code tagfabric run -n 4 heat --picture heat.png}
 */
@Command(
    name = "heat",
    description = "Heat spreads on a plate: ranks exchange borders, rank 0 gathers it.")
public final class Heat extends HelpOption {
  @Option(
      names = "--cells",
      paramLabel = "N",
      defaultValue = "128",
      description = "Cells along each side of the plate (default: ${DEFAULT-VALUE}).")
  private int cells;

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Steps of time (default: ${DEFAULT-VALUE}).")
  private int steps;

  @Option(
      names = "--picture",
      paramLabel = "FILE",
      description = "Write a picture of the plate to this PNG file.")
  private Path picture;

  private Heat() {}

  public static void main(String[] args) {
    Heat heat = new Heat();
    Arguments.parse(
        heat,
        args,
        size ->
            heat.cells < size || heat.steps < 1
                ? "--cells must be at least the number of ranks, --steps at least 1"
                : null);
    Job.run(args, heat::run);
  }

  private int run(Job job) throws IOException {
    try (Team team = Team.world(job)) {
      HeatPlate plate = new HeatPlate(rowsOf(team.rank(), team.size()), cells, team.rank() == 0);
      for (int step = 1; step <= steps; step++) {
        exchange(team, plate);
        double change = plate.advance();
        if (step % Math.max(1, steps / 5) == 0) {
          report(team, step, change);
        }
      }
      gather(team, plate);
      team.barrier().toCompletableFuture().join();
    }
    return 0;
  }

  private int rowsOf(int rank, int size) {
    return cells / size + (rank < cells % size ? 1 : 0);
  }

  /** The first own row goes up, the last one down; what comes are the rows around. */
  private void exchange(Team team, HeatPlate plate) {
    List<Integer> neighbours = new ArrayList<>();
    List<double[]> rows = new ArrayList<>();
    if (team.rank() > 0) {
      neighbours.add(team.rank() - 1);
      rows.add(plate.firstRow());
    }
    if (team.rank() < team.size() - 1) {
      neighbours.add(team.rank() + 1);
      rows.add(plate.lastRow());
    }
    double[] outgoing = rows.stream().flatMapToDouble(Arrays::stream).toArray();
    Elements incoming = Elements.allocate(ElementKind.FLOAT64, outgoing.length);
    Blocks blocks = Blocks.equal(neighbours.size(), cells);
    team.start(
            CollectiveCall.neighbourExchange(
                Edges.both(neighbours), Elements.of(outgoing), blocks, incoming, blocks))
        .toCompletableFuture()
        .join();
    double[] values = incoming.doubles();
    int next = 0;
    if (team.rank() > 0) {
      plate.setRowAbove(Arrays.copyOfRange(values, next, next + cells));
      next += cells;
    }
    if (team.rank() < team.size() - 1) {
      plate.setRowBelow(Arrays.copyOfRange(values, next, next + cells));
    }
  }

  private void report(Team team, int step, double change) {
    double[] greatest =
        team.allreduce(new double[] {change}, Reduction.MAX).toCompletableFuture().join();
    if (team.rank() == 0) {
      System.out.println(
          String.format(
              Locale.ROOT, "step %d of %d, greatest change %.2e", step, steps, greatest[0]));
    }
  }

  private void gather(Team team, HeatPlate plate) throws IOException {
    int[] lengths = new int[team.size()];
    for (int rank = 0; rank < lengths.length; rank++) {
      lengths[rank] = rowsOf(rank, team.size()) * cells;
    }
    boolean isRoot = team.rank() == 0;
    Elements whole = Elements.allocate(ElementKind.FLOAT64, isRoot ? cells * cells : 0);
    team.start(
            CollectiveCall.gatherv(
                Elements.of(plate.rows()), whole, isRoot ? Blocks.packed(lengths) : null, 0))
        .toCompletableFuture()
        .join();
    if (isRoot) {
      double[] heat = whole.doubles();
      System.out.println(String.format(Locale.ROOT, "heat in all %.6f", Arrays.stream(heat).sum()));
      if (picture != null) {
        HeatPicture.write(heat, cells, picture);
        System.out.println("picture in " + picture.toAbsolutePath());
      }
    }
  }
}
