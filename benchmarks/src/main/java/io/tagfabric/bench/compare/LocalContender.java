package io.tagfabric.bench.compare;

import io.tagfabric.bench.measure.Sample;
import io.tagfabric.bench.measure.Workload;
import io.tagfabric.bench.ours.MatchingBench;
import io.tagfabric.error.FabricException;
import io.tagfabric.progress.ProgressMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tagfabric within this JVM.
 *
 * @param progress what drives the domain
 */
record LocalContender(ProgressMode progress) implements Contender {
  private static final int START_MS = 1_000;

  @Override
  public String name() {
    return "local";
  }

  @Override
  public String description() {
    return "Tagfabric within one JVM";
  }

  @Override
  public Optional<String> missingBecause() {
    return Optional.empty();
  }

  @Override
  public int startMs() {
    return START_MS;
  }

  @Override
  public List<Sample> run(Workload workload) throws ContenderException {
    List<Sample> samples = new ArrayList<>();
    try {
      MatchingBench.playLocal(progress, workload, samples::add);
    } catch (FabricException failure) {
      throw new ContenderException(failure.getMessage(), failure);
    }
    return samples;
  }
}
