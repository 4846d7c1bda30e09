package io.tagfabric.demos;

import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.job.Job;
import java.util.Locale;
import java.util.SplittableRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * k-means in the plane: each rank has points of its own, and one allreduce a step sums for each
 * centre what the nearest points of all ranks are. Rank 0's first guess is broadcast.
 *
 * <p>Run it: {@code tagfabric run -n 4 kmeans}
 */
@Command(
    name = "kmeans",
    description = "Ranks find the centres of clouds of points with one allreduce a step.")
public final class Kmeans extends HelpOption {
  private static final double[][] CLOUDS = {{0, 0}, {10, 0}, {0, 10}, {10, 10}};
  private static final double SPREAD = 8;

  /** Of each centre: the sum of x, the sum of y, how many. */
  private static final int SUMS = 3;

  @Option(
      names = "--points",
      paramLabel = "N",
      defaultValue = "20000",
      description = "Points of each rank (default: ${DEFAULT-VALUE}).")
  private int points;

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "20",
      description = "Steps at most (default: ${DEFAULT-VALUE}).")
  private int steps;

  private Kmeans() {}

  public static void main(String[] args) {
    Kmeans kmeans = new Kmeans();
    Arguments.parse(
        kmeans,
        args,
        size ->
            kmeans.points < 100 || kmeans.steps < 1
                ? "--points must be at least 100, --steps at least 1"
                : null);
    Job.run(args, kmeans::run);
  }

  private int run(Job job) {
    double[][] own = cloud(new SplittableRandom(job.rank()), points);
    try (Team team = Team.world(job)) {
      Elements guess = Elements.of(1.0, 2, 4, 1, 3, 6, 8, 9);
      team.broadcast(guess, 0).toCompletableFuture().join();
      double[] centres = guess.doubles();
      double moved = 1;
      for (int step = 1; step <= steps && moved > 1e-9; step++) {
        double[] sums =
            team.allreduce(assign(own, centres), Reduction.SUM).toCompletableFuture().join();
        moved = move(centres, sums);
        if (team.rank() == 0) {
          System.out.println(
              String.format(Locale.ROOT, "step %2d, centres moved by %.6f", step, moved));
        }
      }
      team.barrier().toCompletableFuture().join();
      return verdict(team, centres);
    }
  }

  private static double[][] cloud(SplittableRandom random, int count) {
    double[][] points = new double[count][];
    for (int i = 0; i < count; i++) {
      double[] around = CLOUDS[i % CLOUDS.length];
      points[i] =
          new double[] {
            around[0] + SPREAD * (random.nextDouble() - 0.5),
            around[1] + SPREAD * (random.nextDouble() - 0.5)
          };
    }
    return points;
  }

  private static double[] assign(double[][] points, double[] centres) {
    double[] sums = new double[centres.length / 2 * SUMS];
    for (double[] point : points) {
      int nearest = nearest(point, centres);
      sums[SUMS * nearest] += point[0];
      sums[SUMS * nearest + 1] += point[1];
      sums[SUMS * nearest + 2]++;
    }
    return sums;
  }

  private static int nearest(double[] point, double[] centres) {
    int nearest = 0;
    double least = Double.MAX_VALUE;
    for (int i = 0; i < centres.length / 2; i++) {
      double distance = Math.hypot(point[0] - centres[2 * i], point[1] - centres[2 * i + 1]);
      if (distance < least) {
        least = distance;
        nearest = i;
      }
    }
    return nearest;
  }

  private static double move(double[] centres, double[] sums) {
    double moved = 0;
    for (int i = 0; i < centres.length / 2; i++) {
      double count = sums[SUMS * i + 2];
      if (count > 0) {
        double x = sums[SUMS * i] / count;
        double y = sums[SUMS * i + 1] / count;
        moved = Math.max(moved, Math.hypot(x - centres[2 * i], y - centres[2 * i + 1]));
        centres[2 * i] = x;
        centres[2 * i + 1] = y;
      }
    }
    return moved;
  }

  private static int verdict(Team team, double[] centres) {
    for (int i = 0; i < CLOUDS.length; i++) {
      double off = Math.hypot(centres[2 * i] - CLOUDS[i][0], centres[2 * i + 1] - CLOUDS[i][1]);
      if (off > 0.2) {
        throw new IllegalStateException("centre " + i + " is off by " + off + ", more than 0.2");
      }
      if (team.rank() == 0) {
        System.out.println(
            String.format(
                Locale.ROOT, "centre %d at (%.3f, %.3f)", i, centres[2 * i], centres[2 * i + 1]));
      }
    }
    return 0;
  }
}
