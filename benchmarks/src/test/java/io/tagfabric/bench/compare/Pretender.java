package io.tagfabric.bench.compare;

import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.Sample;
import io.tagfabric.bench.measure.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Plays from a list: a value a run; not a number fails. */
final class Pretender implements Contender {
  private final String name;
  private final boolean matches;
  private final String missing;
  private final List<String> log;
  private final double[] values;
  private int run;
  private boolean compilesAtRunTime = true;

  Pretender(String name, boolean matches, String missing, List<String> log, double... values) {
    this.name = name;
    this.matches = matches;
    this.missing = missing;
    this.log = log;
    this.values = values;
  }

  private boolean silent;

  /** It ends well and prints nothing. */
  Pretender silent() {
    silent = true;
    return this;
  }

  Pretender compiledBefore() {
    compilesAtRunTime = false;
    return this;
  }

  @Override
  public boolean compilesAtRunTime() {
    return compilesAtRunTime;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String description() {
    return "pretends";
  }

  @Override
  public Optional<String> missingBecause() {
    return Optional.ofNullable(missing);
  }

  @Override
  public boolean measures(Cell cell) {
    return matches || !cell.metric().isMatching();
  }

  @Override
  public int startMs() {
    return 1000;
  }

  @Override
  public List<Sample> run(Workload workload) throws ContenderException {
    log.add(name);
    double value = values[run++];
    if (Double.isNaN(value)) {
      throw new ContenderException("out of breath");
    }
    List<Sample> samples = new ArrayList<>();
    for (Cell cell : silent ? List.<Cell>of() : workload.cells()) {
      samples.add(new Sample(cell.metric(), cell.size(), value, 0, ""));
    }
    return samples;
  }
}
