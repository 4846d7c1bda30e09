package io.tagfabric.path;

/**
 * Chooses the path of each packet. Knows what is outstanding on each path; sends nothing itself.
 * Single threaded.
 *
 * <p>A choice is only a proposal until {@link #tookBulk} or {@link #sent} says that the path had
 * room.
 *
 * @source OFED+ Host Software 1.5.4 User Guide, chapter 8, Dispersive Routing; PSM3 reserves path 0
 *     for control in the same way
 */
final class PathSelector {
  private final PathSettings settings;
  private final int firstData;
  private final int dataPaths;
  private final int fixed;
  private final long[] outstanding;
  private int windowPath;
  private long windowLeft;

  /**
   * A selector for the packets to one peer.
   *
   * @param source number of the sender, such as its rank
   * @param destination number of the peer, the same for all senders
   */
  PathSelector(PathSettings settings, int source, int destination) {
    this.settings = settings;
    boolean reservesControl = settings.count() > 1 && settings.policy() != PathPolicy.STATIC_BASE;
    firstData = reservesControl ? 1 : 0;
    dataPaths = settings.policy() == PathPolicy.STATIC_BASE ? 1 : settings.count() - firstData;
    fixed =
        switch (settings.policy()) {
          case ADAPTIVE, STATIC_SRC -> dataPath(source);
          case STATIC_DEST -> dataPath(destination);
          case STATIC_BASE -> 0;
        };
    outstanding = new long[settings.count()];
    windowPath = fixed;
  }

  private int dataPath(int number) {
    return firstData + Math.floorMod(number, dataPaths);
  }

  /** The path of a packet without a place in the sequence: set-up, acknowledgement, ping. */
  int control() {
    return 0;
  }

  /** The path of a packet of short messages. */
  int small() {
    return fixed;
  }

  /** The path of a packet with a part of a long message. */
  int bulk() {
    if (settings.policy() != PathPolicy.ADAPTIVE) {
      return fixed;
    }
    return windowLeft > 0 ? windowPath : leastOutstandingAfter(windowPath);
  }

  /** Where such a packet may go if its path has no room; the same path if there is no other. */
  int bulkInsteadOf(int path, int attempt) {
    return settings.policy() == PathPolicy.ADAPTIVE ? dataPath(path - firstData + attempt) : path;
  }

  /** Data paths a packet of a long message may try. */
  int bulkChoices() {
    return settings.policy() == PathPolicy.ADAPTIVE ? dataPaths : 1;
  }

  private int leastOutstandingAfter(int last) {
    int best = -1;
    for (int i = 1; i <= dataPaths; i++) {
      int path = dataPath(last - firstData + i);
      if (best < 0 || outstanding[path] < outstanding[best]) {
        best = path;
      }
    }
    return best;
  }

  /**
   * A path has taken a packet of a long message.
   *
   * @return whether a window began with it
   */
  boolean tookBulk(int path, int bytes) {
    boolean begins = windowLeft <= 0 || path != windowPath;
    if (begins) {
      windowPath = path;
      windowLeft = settings.windowBytes();
    }
    windowLeft -= bytes;
    return begins;
  }

  /** Bytes of counted packets have gone to a path. */
  void sent(int path, int bytes) {
    outstanding[path] += bytes;
  }

  /** Bytes of a path have been acknowledged. */
  void acknowledged(int path, int bytes) {
    outstanding[path] -= bytes;
  }

  long outstanding(int path) {
    return outstanding[path];
  }
}
