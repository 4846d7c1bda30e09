package io.tagfabric.path;

import io.tagfabric.cluster.settings.Setting;
import io.tagfabric.cluster.settings.Settings;
import java.util.List;

/**
 * The settings {@code tagfabric.path.*}.
 *
 * @param count paths to a remote node, a power of two up to {@link #MAX_PATHS}
 * @param policy how the path of a packet is chosen
 * @param windowBytes so much of long messages goes one way before a path is chosen again
 */
public record PathSettings(int count, PathPolicy policy, int windowBytes) {
  private static final int MAX_LMC = 3;

  /** The most paths there can be. */
  public static final int MAX_PATHS = 1 << MAX_LMC;

  /** One path, which is all there is to choose. */
  public static final PathSettings ONE = new PathSettings(1, PathPolicy.ADAPTIVE, 128 * 1024);

  public static final Setting<Integer> LMC = Setting.integer("path.lmc", 0, MAX_LMC);
  public static final Setting<PathPolicy> POLICY =
      Setting.choice("path.selection", PathPolicy.class);
  public static final Setting<Long> WINDOW =
      Setting.bytes("path.window", 4 * 1024, 1024 * 1024 * 1024);

  /** All of them, in the order of {@code reference.conf}. */
  public static final List<Setting<?>> ALL = List.of(LMC, POLICY, WINDOW);

  public PathSettings {
    if (Integer.bitCount(count) != 1 || count < 1 || count > MAX_PATHS) {
      throw new IllegalArgumentException(
          "count=" + count + " is no power of two from 1 to " + MAX_PATHS);
    }
    if (windowBytes < 1) {
      throw new IllegalArgumentException("windowBytes=" + windowBytes + " < 1");
    }
  }

  public static PathSettings of(Settings settings) {
    return new PathSettings(
        1 << settings.get(LMC), settings.get(POLICY), settings.get(WINDOW).intValue());
  }

  /** The same with at most so many paths. */
  public PathSettings atMost(int paths) {
    return paths >= count
        ? this
        : new PathSettings(Integer.highestOneBit(paths), policy, windowBytes);
  }
}
