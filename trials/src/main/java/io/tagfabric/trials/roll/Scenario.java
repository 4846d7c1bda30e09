package io.tagfabric.trials.roll;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What is done to the nodes of a cluster. */
enum Scenario {
  /** Each node is replaced by one of the same build. */
  SAME(Step.REPLACE),
  /** Nodes with Akka alone are replaced by nodes with Tagfabric. */
  FABRIC_ON(Step.REPLACE),
  /** The way back. */
  FABRIC_OFF(Step.REPLACE),
  /** Nodes are replaced by those of a build with another protocol. */
  PROTOCOL(Step.REPLACE),
  /** The three rolls by which a job gets another key. */
  KEYS(Step.REPLACE),
  /** One node is killed, and started again. */
  KILL(Step.KILL),
  /** One node stands still for a while. */
  PAUSE(Step.PAUSE);

  /** What is done to one node. */
  enum Step {
    REPLACE,
    KILL,
    PAUSE
  }

  private static final int OTHER_PROTOCOL = 8;

  private final Step step;

  Scenario(Step step) {
    this.step = step;
  }

  /** What people call it. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Optional<Scenario> of(String label) {
    return Arrays.stream(values()).filter(each -> each.label().equals(label)).findFirst();
  }

  /** What people call them all. */
  static String labels() {
    return Arrays.stream(values()).map(Scenario::label).collect(Collectors.joining(", "));
  }

  Step step() {
    return step;
  }

  /** The build that all nodes begin with, and that of each roll. */
  List<Build> builds() {
    return switch (this) {
      case SAME, KILL, PAUSE -> List.of(Build.OWN, Build.OWN);
      case FABRIC_ON -> List.of(Build.PLAIN, Build.OWN);
      case FABRIC_OFF -> List.of(Build.OWN, Build.PLAIN);
      case PROTOCOL -> List.of(Build.OWN, Build.ofProtocol(OTHER_PROTOCOL));
      case KEYS -> List.of(Build.OWN, Build.ofKeys(1, 2), Build.ofKeys(2, 1), Build.ofKeys(2));
    };
  }

  /** How many nodes a roll does something to. */
  int steps(int nodes) {
    return step == Step.REPLACE ? nodes : 1;
  }
}
