package io.tagfabric.demos;

import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.job.Job;
import picocli.CommandLine.Command;

/**
 * Conway's game of life on a board of 8 by 8 without borders. Each rank works out some of the rows;
 * one allgather a generation gives all rows to all ranks, and an allreduce counts who lives.
 *
 * <p>Run it: {@code tagfabric run -n 2 --trace life}
 */
@Command(name = "life", description = "The game of life, by one allgather a generation.")
public final class Life extends HelpOption {
  private static final int SIDE = 8;
  private static final int GENERATIONS = 8;

  /** It moves by one row and one column in four generations. */
  private static final int[][] GLIDER = {{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};

  private Life() {}

  public static void main(String[] args) {
    Arguments.parse(
        new Life(),
        args,
        size ->
            SIDE % size != 0 ? "needs 1, 2, 4 or 8 ranks, so that each has as many rows" : null);
    Job.run(args, Life::run);
  }

  private static int run(Job job) {
    Team team = Team.world(job);
    long[] board = new long[SIDE * SIDE];
    for (int[] cell : GLIDER) {
      board[cell[0] * SIDE + cell[1]] = 1;
    }
    show(job, 0, board);
    for (int generation = 0; generation < GENERATIONS; generation++) {
      board = next(team, board);
    }
    show(job, GENERATIONS, board);
    return 0;
  }

  private static long[] next(Team team, long[] board) {
    int rows = SIDE / team.size();
    long[] own = new long[rows * SIDE];
    for (int i = 0; i < own.length; i++) {
      int at = team.rank() * own.length + i;
      int neighbours = neighbours(board, at / SIDE, at % SIDE);
      own[i] = neighbours == 3 || (neighbours == 2 && board[at] == 1) ? 1 : 0;
    }
    Elements all = Elements.of(new long[board.length]);
    team.allgather(Elements.of(own), all).toCompletableFuture().join();
    long living = 0;
    for (long cell : own) {
      living += cell;
    }
    long total = team.allreduce(new long[] {living}, Reduction.SUM).toCompletableFuture().join()[0];
    if (total != GLIDER.length) {
      throw new IllegalStateException("living=" + total + " of a glider of " + GLIDER.length);
    }
    return all.longs();
  }

  private static int neighbours(long[] board, int row, int column) {
    int count = 0;
    for (int down = -1; down <= 1; down++) {
      for (int right = -1; right <= 1; right++) {
        int at = Math.floorMod(row + down, SIDE) * SIDE + Math.floorMod(column + right, SIDE);
        count += down == 0 && right == 0 ? 0 : (int) board[at];
      }
    }
    return count;
  }

  private static void show(Job job, int generation, long[] board) {
    if (job.rank() != 0) {
      return;
    }
    System.out.println("generation " + generation);
    for (int row = 0; row < SIDE; row++) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < SIDE; column++) {
        line.append(board[row * SIDE + column] == 1 ? '#' : '.');
      }
      System.out.println(line);
    }
  }
}
