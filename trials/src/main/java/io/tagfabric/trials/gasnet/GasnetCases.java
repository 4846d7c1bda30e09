package io.tagfabric.trials.gasnet;

import java.util.List;
import java.util.Optional;

/** All cases, in the order in which they run. */
final class GasnetCases {
  static final List<GasnetCase> ALL =
      List.of(
          new GasnetCase(
              "progthr",
              "testprogthr",
              2,
              "deferred progress threads start in reverse order, one never",
              ProgressThreads::run));

  private GasnetCases() {}

  static List<String> names() {
    return ALL.stream().map(GasnetCase::name).toList();
  }

  static Optional<GasnetCase> find(String name) {
    return ALL.stream().filter(each -> each.name().equals(name)).findFirst();
  }
}
