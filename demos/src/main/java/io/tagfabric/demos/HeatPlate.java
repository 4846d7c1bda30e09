package io.tagfabric.demos;

import java.util.Arrays;

/**
 * Some rows of a plate, and one row around them on each side. The left, right and lower edges of
 * the plate are cold, the upper one is hot.
 */
final class HeatPlate {
  static final double HOT = 100;

  private final int rows;
  private final int columns;
  private double[][] now;
  private double[][] next;

  /**
   * A cold part of a plate.
   *
   * @param isTop whether the hot edge is above it
   */
  HeatPlate(int rows, int columns, boolean isTop) {
    this.rows = rows;
    this.columns = columns;
    now = new double[rows + 2][columns + 2];
    next = new double[rows + 2][columns + 2];
    if (isTop) {
      Arrays.fill(now[0], 1, columns + 1, HOT);
      Arrays.fill(next[0], 1, columns + 1, HOT);
    }
  }

  double[] firstRow() {
    return Arrays.copyOfRange(now[1], 1, columns + 1);
  }

  double[] lastRow() {
    return Arrays.copyOfRange(now[rows], 1, columns + 1);
  }

  void setRowAbove(double[] row) {
    System.arraycopy(row, 0, now[0], 1, columns);
  }

  void setRowBelow(double[] row) {
    System.arraycopy(row, 0, now[rows + 1], 1, columns);
  }

  /** One step of time; returns the greatest change of a cell. */
  double advance() {
    double greatest = 0;
    for (int row = 1; row <= rows; row++) {
      for (int column = 1; column <= columns; column++) {
        double mean =
            (now[row - 1][column]
                    + now[row + 1][column]
                    + now[row][column - 1]
                    + now[row][column + 1])
                / 4;
        greatest = Math.max(greatest, Math.abs(mean - now[row][column]));
        next[row][column] = mean;
      }
    }
    System.arraycopy(now[0], 0, next[0], 0, columns + 2);
    System.arraycopy(now[rows + 1], 0, next[rows + 1], 0, columns + 2);
    double[][] before = now;
    now = next;
    next = before;
    return greatest;
  }

  /** All cells, row by row. */
  double[] rows() {
    double[] cells = new double[rows * columns];
    for (int row = 0; row < rows; row++) {
      System.arraycopy(now[row + 1], 1, cells, row * columns, columns);
    }
    return cells;
  }
}
