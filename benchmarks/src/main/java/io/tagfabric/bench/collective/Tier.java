package io.tagfabric.bench.collective;

import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.collective.run.SharedMemoryUse;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What carries collectives, as an option names it. */
enum Tier {
  /** What is usual. */
  AUTO("auto"),
  /** Memory that members in one JVM share. */
  CELL("cell"),
  /** Memory that members on one host share. */
  SHM("shm"),
  MESSAGES("messages");

  private final String key;

  Tier(String key) {
    this.key = key;
  }

  String key() {
    return key;
  }

  static List<String> names() {
    return Arrays.stream(values()).map(tier -> tier.key).toList();
  }

  static Optional<Tier> named(String name) {
    return Arrays.stream(values()).filter(tier -> tier.key.equals(name)).findFirst();
  }

  CollectiveSettings of(CollectiveSettings usual) {
    return switch (this) {
      case AUTO -> usual;
      case CELL -> usual.withSharedCell(true);
      case SHM -> usual.withSharedCell(false).withSharedMemory(SharedMemoryUse.ALWAYS);
      case MESSAGES -> usual.withSharedCell(false).withSharedMemory(SharedMemoryUse.OFF);
    };
  }
}
