package io.tagfabric.trials.fabtests;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** All scenarios, in the order in which they run. */
final class Catalogue {
  static final List<Scenario> ALL =
      Stream.of(
              TaggedScenarios.all(),
              ProbeScenarios.all(),
              ByteScenarios.all(),
              QueueScenarios.all(),
              ReceiverScenarios.all(),
              ManyScenarios.all(),
              SharedScenarios.all(),
              DatagramScenarios.all(),
              ScalableScenarios.all(),
              MemoryScenarios.all(),
              SliceScenarios.all(),
              AtomicScenarios.all(),
              PeerScenarios.all(),
              GroupScenarios.all(),
              EnvironmentScenarios.all())
          .flatMap(List::stream)
          .toList();

  private Catalogue() {}

  /** The names that {@code --set} knows. */
  static Set<String> sets() {
    Set<String> sets = new TreeSet<>();
    ALL.forEach(each -> sets.add(each.set()));
    NotYet.ALL.forEach(each -> sets.add(each.set()));
    return sets;
  }

  static Optional<Scenario> find(String name) {
    return ALL.stream().filter(each -> each.name().equals(name)).findFirst();
  }
}
