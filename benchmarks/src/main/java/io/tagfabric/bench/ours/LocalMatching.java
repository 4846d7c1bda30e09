package io.tagfabric.bench.ours;

import io.tagfabric.bench.measure.MatchExchange;
import io.tagfabric.bench.measure.MatchKind;
import io.tagfabric.bench.measure.MatchSubject;

/** Matching within one JVM, both ends moved by one thread. */
final class LocalMatching implements MatchSubject {
  private final LocalPair pair;

  LocalMatching(LocalPair pair) {
    this.pair = pair;
  }

  @Override
  public String name() {
    return "tagfabric";
  }

  @Override
  public String provider() {
    return "local";
  }

  @Override
  public long run(MatchKind kind, int depth) {
    return switch (kind) {
      case POSTED -> MatchExchange.postedAlone(pair.near(), pair.far(), depth);
      case UNEXPECTED -> MatchExchange.unexpectedAlone(pair.near(), pair.far(), depth);
      case PROBE -> MatchExchange.probedAlone(pair.near(), pair.far(), depth);
    };
  }
}
