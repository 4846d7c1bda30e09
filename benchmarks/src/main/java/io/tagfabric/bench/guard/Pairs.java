package io.tagfabric.bench.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Figures of a row, measured by two builds in turns. Thread: one. */
final class Pairs {
  private final GuardBench bench;
  private final List<Figure> ours = new ArrayList<>();
  private final List<Figure> theirs = new ArrayList<>();

  Pairs(GuardBench bench) {
    this.bench = bench;
  }

  void add(Figure our, Figure their) {
    ours.add(our);
    theirs.add(their);
  }

  /** The last of {@link #ratios}. */
  double lastRatio() {
    return bench.ratio(ours.get(ours.size() - 1), theirs.get(theirs.size() - 1));
  }

  Ratios ratios() {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < ours.size(); i++) {
      ratios.add(bench.ratio(ours.get(i), theirs.get(i)));
    }
    return new Ratios(ratios);
  }

  double ours(ToDoubleFunction<Figure> part) {
    return median(ours, part);
  }

  double theirs(ToDoubleFunction<Figure> part) {
    return median(theirs, part);
  }

  private static double median(List<Figure> figures, ToDoubleFunction<Figure> part) {
    return Ratios.median(figures.stream().map(part::applyAsDouble).toList());
  }
}
