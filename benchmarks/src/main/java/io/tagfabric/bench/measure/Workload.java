package io.tagfabric.bench.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What every peer of a comparison does in one run, as words on its command line: four numbers of
 * milliseconds (shortest and longest warm-up, run, longest pass of matching), then the cells.
 *
 * @param warmUpMinMs shortest warm-up of a cell
 * @param warmUpMaxMs longest warm-up of a cell
 * @param runMs time that a cell is measured
 * @param limitMs longest pass of matching that is tried
 * @param cells what to measure, in order
 */
public record Workload(int warmUpMinMs, int warmUpMaxMs, int runMs, int limitMs, List<Cell> cells) {
  /** How much longer than others the first cell is warmed up: with it, all code that they share. */
  public static final int FIRST_WARM_UP = 4;

  public Workload {
    cells = List.copyOf(cells);
  }

  /** The same with fewer cells. */
  public Workload withCells(List<Cell> fewer) {
    return new Workload(warmUpMinMs, warmUpMaxMs, runMs, limitMs, fewer);
  }

  /** The same with longer warm-ups. */
  public Workload withWarmUps(int factor) {
    return new Workload(factor * warmUpMinMs, factor * warmUpMaxMs, runMs, limitMs, cells);
  }

  /** The budget of a cell by its place. */
  Budget budget(int place) {
    int factor = place == 0 ? FIRST_WARM_UP : 1;
    return Budget.ofMillis((long) factor * warmUpMinMs, (long) factor * warmUpMaxMs, 0, runMs);
  }

  /** Words from which {@link #parse} reads it again. */
  public List<String> toWords() {
    List<String> words = new ArrayList<>();
    for (int milliseconds : new int[] {warmUpMinMs, warmUpMaxMs, runMs, limitMs}) {
      words.add(Integer.toString(milliseconds));
    }
    cells.forEach(cell -> words.add(cell.toWord()));
    return words;
  }

  /**
   * Reads words of {@link #toWords}.
   *
   * @throws IllegalArgumentException if they are none
   */
  public static Workload parse(List<String> words) {
    if (words.size() < 4) {
      throw new IllegalArgumentException("words=" + words + " < 4 words, give times and cells");
    }
    List<Cell> cells = new ArrayList<>();
    for (String word : words.subList(4, words.size())) {
      Optional<Cell> cell = Cell.parse(word);
      cells.add(cell.orElseThrow(() -> new IllegalArgumentException("'" + word + "' is no cell")));
    }
    return new Workload(
        Integer.parseInt(words.get(0)),
        Integer.parseInt(words.get(1)),
        Integer.parseInt(words.get(2)),
        Integer.parseInt(words.get(3)),
        cells);
  }
}
