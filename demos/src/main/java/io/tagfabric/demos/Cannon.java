package io.tagfabric.demos;

import io.tagfabric.collective.CartesianTeam;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.algorithm.Edges;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.schedule.Blocks;
import io.tagfabric.job.Job;
import java.util.List;
import java.util.SplittableRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The product of two matrices by Cannon's algorithm: ranks are a square grid whose rows and columns
 * are rings, and each has a block of both matrices. Blocks of the left one move along the rows, of
 * the right one along the columns, and each rank adds up the products of what comes by.
 *
 * <p>Run it: {@code tagfabric run -n 4 cannon}
 *
 * @source Cannon, "A cellular computer to implement the Kalman filter algorithm", 1969
 */
@Command(
    name = "cannon",
    description = "Ranks on a square grid multiply two matrices; entries are checked.")
public final class Cannon extends HelpOption {
  private static final int SAMPLES = 100;

  @Option(
      names = "--block",
      paramLabel = "N",
      defaultValue = "64",
      description = "Rows and columns of each rank's block (default: ${DEFAULT-VALUE}).")
  private int block;

  private Cannon() {}

  public static void main(String[] args) {
    Cannon cannon = new Cannon();
    Arguments.parse(
        cannon,
        args,
        size ->
            cannon.block < 1
                ? "--block must be at least 1"
                : side(size) * side(size) == size
                    ? null
                    : "ranks=" + size + " is no square, run it with -n 1, 4, 9 ...");
    Job.run(args, cannon::run);
  }

  private static int side(int size) {
    return (int) Math.round(Math.sqrt(size));
  }

  private int run(Job job) {
    try (Team team = Team.world(job)) {
      int side = side(team.size());
      CartesianTeam grid =
          team.cartesian(new int[] {side, side}, new boolean[] {true, true})
              .toCompletableFuture()
              .join();
      int row = grid.coordinates()[0];
      int column = grid.coordinates()[1];
      // Each begins with blocks that fit: the left one of its row, moved by the row's number.
      int inner = (row + column) % side;
      double[] left = fill(row, inner, Cannon::left);
      double[] right = fill(inner, column, Cannon::right);
      double[] product = new double[block * block];
      for (int step = 0; step < side; step++) {
        addProduct(left, right, product);
        left = shift(grid, 1, left);
        right = shift(grid, 0, right);
      }
      long wrong = wrong(product, row, column, side);
      long[] all = team.allreduce(new long[] {wrong}, Reduction.SUM).toCompletableFuture().join();
      if (all[0] > 0) {
        throw new IllegalStateException(all[0] + " entries of the product are wrong");
      }
      if (team.rank() == 0) {
        int rows = block * side;
        System.out.println(
            "a product of two "
                + rows
                + " x "
                + rows
                + " matrices is right, checked at "
                + SAMPLES * team.size()
                + " places");
      }
      grid.close();
      return 0;
    }
  }

  /** An entry of a matrix. */
  private interface Entry {
    double at(int row, int column);
  }

  private static double left(int row, int column) {
    return (row * 31 + column * 17) % 10 - 4;
  }

  private static double right(int row, int column) {
    return (row * 13 + column * 7) % 10 - 5;
  }

  private double[] fill(int blockRow, int blockColumn, Entry entry) {
    double[] values = new double[block * block];
    for (int i = 0; i < block; i++) {
      for (int j = 0; j < block; j++) {
        values[i * block + j] = entry.at(blockRow * block + i, blockColumn * block + j);
      }
    }
    return values;
  }

  private void addProduct(double[] left, double[] right, double[] product) {
    for (int i = 0; i < block; i++) {
      for (int k = 0; k < block; k++) {
        double factor = left[i * block + k];
        for (int j = 0; j < block; j++) {
          product[i * block + j] += factor * right[k * block + j];
        }
      }
    }
  }

  /** A block to the neighbour before in a ring, and the one behind's here. */
  private static double[] shift(CartesianTeam grid, int dimension, double[] values) {
    Edges edges =
        new Edges(List.of(grid.neighbour(dimension, -1)), List.of(grid.neighbour(dimension, 1)));
    Blocks one = Blocks.packed(values.length);
    Elements moved = Elements.of(new double[values.length]);
    grid.neighbourExchange(edges, Elements.of(values), one, moved, one)
        .toCompletableFuture()
        .join();
    return moved.doubles();
  }

  /** Entries of this block that are not what the definition says, among some. */
  private long wrong(double[] product, int blockRow, int blockColumn, int side) {
    SplittableRandom random = new SplittableRandom(blockRow * 1000L + blockColumn);
    long wrong = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
      int i = random.nextInt(block);
      int j = random.nextInt(block);
      double sum = 0;
      for (int k = 0; k < block * side; k++) {
        sum += left(blockRow * block + i, k) * right(k, blockColumn * block + j);
      }
      wrong += sum == product[i * block + j] ? 0 : 1; // small wholes: sums are exact
    }
    return wrong;
  }
}
