package io.tagfabric.trials.collective;

import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.collective.run.SharedMemoryUse;
import java.util.Locale;

/** What carries a team's collectives. */
enum CheckTier {
  /** One thread does the work of all. */
  CELL,
  /** Messages. */
  MESSAGES,
  /** Messages in short segments, after a comparison of calls. */
  CHECKED,
  /** Memory of one host. */
  MEMORY,
  /** The same in short pieces. */
  PIECES,
  /** Two hosts, of which members share some. */
  TWO_LEVELS;

  String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  CollectiveSettings of(CollectiveSettings settings) {
    CollectiveSettings messages =
        settings
            .withSharedCell(this == CELL)
            .withSharedMemory(SharedMemoryUse.OFF)
            .withChecked(false);
    return switch (this) {
      case CELL, MESSAGES -> messages;
      case CHECKED -> messages.withChecked(true).withSegments(512, 3);
      case MEMORY -> messages.withSharedMemory(SharedMemoryUse.ALWAYS);
      case PIECES -> messages.withSharedMemory(SharedMemoryUse.ALWAYS).withChunks(64, 2);
      case TWO_LEVELS ->
          messages.withSharedMemory(SharedMemoryUse.ALWAYS).withSegments(16 * 1024, 4);
    };
  }

  /** On which host a member is. */
  int hostOf(int rank, int size) {
    return this == TWO_LEVELS && rank >= (size + 1) / 2 ? 1 : 0;
  }
}
