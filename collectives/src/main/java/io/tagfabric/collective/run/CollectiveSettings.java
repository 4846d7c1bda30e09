package io.tagfabric.collective.run;

import io.tagfabric.cluster.settings.RecordCopy;
import io.tagfabric.cluster.settings.Setting;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.collective.algorithm.Algorithms;
import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.choose.DecisionTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * How a team does its collectives; equal at all members.
 *
 * @param checked whether members compare their calls before each collective
 * @param sharedCell whether a team inside one JVM uses shared memory instead of messages
 * @param sharedMemory which teams on one host meet in shared memory instead of sending messages
 * @param chunkBytes length of the pieces in which long vectors go through that memory
 * @param slots pieces there that a member may be ahead of the others, at least 2
 * @param segmentBytes long vectors are cut into pieces of so many bytes where an algorithm gains
 * @param segmentsInFlight pieces under way at the same time
 * @param timeout after which a call ends that a member has not made; zero for never
 * @param table rules that come before the standard ones
 * @param forced names of algorithms that are used whatever the table says
 */
public record CollectiveSettings(
    boolean checked,
    boolean sharedCell,
    SharedMemoryUse sharedMemory,
    int chunkBytes,
    int slots,
    int segmentBytes,
    int segmentsInFlight,
    Duration timeout,
    List<String> table,
    Map<Collective, String> forced) {
  /** Lets the table choose. */
  public static final String AUTO = "auto";

  public static final Setting<Boolean> CHECKED = Setting.bool("collective.checked").agreed();
  public static final Setting<Boolean> SHARED_CELL =
      Setting.bool("collective.shared-cell").agreed();
  public static final Setting<SharedMemoryUse> SHARED_MEMORY =
      Setting.choice("collective.shared-memory", SharedMemoryUse.class).agreed();
  public static final Setting<Long> CHUNK_SIZE =
      Setting.bytes("collective.chunk-size", 64, 1L << 20).agreed();
  public static final Setting<Integer> SLOTS = Setting.integer("collective.slots", 2, 64).agreed();
  public static final Setting<Long> SEGMENT_SIZE =
      Setting.bytes("collective.segment-size", 64, 1L << 30).agreed();
  public static final Setting<Integer> SEGMENTS_IN_FLIGHT =
      Setting.integer("collective.segments-in-flight", 1, 64);

  public static final Setting<Duration> TIMEOUT =
      Setting.duration("collective.timeout", Duration.ZERO, Duration.ofDays(1));

  public static final Setting<List<String>> TABLE = Setting.strings("collective.table").agreed();

  private static final Map<Collective, Setting<String>> ALGORITHMS =
      new EnumMap<>(Collective.class);

  static {
    for (Collective collective : Collective.values()) {
      ALGORITHMS.put(
          collective, Setting.string("collective.algorithm." + collective.key()).agreed());
    }
  }

  /** All of them, in the order of {@code reference.conf}. */
  public static final List<Setting<?>> ALL = all();

  public CollectiveSettings {
    Objects.requireNonNull(timeout, "timeout");
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("timeout=" + timeout + " < 0, pass zero for never");
    }
    table = List.copyOf(table);
    DecisionTable.parse(table);
    forced = Map.copyOf(forced);
    forced.forEach(Algorithms::get);
    if (chunkBytes < 64 || slots < 2) {
      throw new IllegalArgumentException(
          "chunkBytes=" + chunkBytes + " must be at least 64, and slots=" + slots + " at least 2");
    }
    if (segmentBytes < 1 || segmentsInFlight < 1) {
      throw new IllegalArgumentException(
          "segmentBytes="
              + segmentBytes
              + " and segmentsInFlight="
              + segmentsInFlight
              + " must be at least 1");
    }
  }

  private static List<Setting<?>> all() {
    List<Setting<?>> all =
        new ArrayList<>(
            List.of(
                CHECKED,
                SHARED_CELL,
                SHARED_MEMORY,
                CHUNK_SIZE,
                SLOTS,
                SEGMENT_SIZE,
                SEGMENTS_IN_FLIGHT,
                TIMEOUT,
                TABLE));
    all.addAll(ALGORITHMS.values());
    return List.copyOf(all);
  }

  /**
   * Reads them.
   *
   * @throws IllegalArgumentException if an algorithm is none
   */
  public static CollectiveSettings of(Settings settings) {
    Map<Collective, String> forced = new EnumMap<>(Collective.class);
    ALGORITHMS.forEach(
        (collective, setting) -> {
          if (!settings.get(setting).equals(AUTO)) {
            forced.put(collective, settings.get(setting));
          }
        });
    return new CollectiveSettings(
        settings.get(CHECKED),
        settings.get(SHARED_CELL),
        settings.get(SHARED_MEMORY),
        settings.get(CHUNK_SIZE).intValue(),
        settings.get(SLOTS),
        settings.get(SEGMENT_SIZE).intValue(),
        settings.get(SEGMENTS_IN_FLIGHT),
        settings.get(TIMEOUT),
        settings.get(TABLE),
        forced);
  }

  /** What chooses among algorithms. */
  DecisionTable decisions() {
    return DecisionTable.parse(table).before(DecisionTable.STANDARD);
  }

  /** The same with an algorithm for one collective. */
  public CollectiveSettings forcing(Collective collective, String algorithm) {
    Map<Collective, String> more = new EnumMap<>(Collective.class);
    more.putAll(forced);
    more.put(collective, algorithm);
    return RecordCopy.with(this, "forced", more);
  }

  /** The same, with or without the memory that members in one JVM share. */
  public CollectiveSettings withSharedCell(boolean used) {
    return RecordCopy.with(this, "sharedCell", used);
  }

  /** The same, with or without the comparison of calls. */
  public CollectiveSettings withChecked(boolean compares) {
    return RecordCopy.with(this, "checked", compares);
  }

  /** The same with segments of another length. */
  public CollectiveSettings withSegments(int bytes, int inFlight) {
    return RecordCopy.with(this, "segmentBytes", bytes, "segmentsInFlight", inFlight);
  }

  /** The same, with or without the memory that members on one host share. */
  public CollectiveSettings withSharedMemory(SharedMemoryUse used) {
    return RecordCopy.with(this, "sharedMemory", used);
  }

  /** The same with other pieces in the memory that members on one host share. */
  public CollectiveSettings withChunks(int bytes, int ahead) {
    return RecordCopy.with(this, "chunkBytes", bytes, "slots", ahead);
  }

  /** The same with another time within which all members must call; zero for any. */
  public CollectiveSettings withTimeout(Duration time) {
    return RecordCopy.with(this, "timeout", time);
  }
}
