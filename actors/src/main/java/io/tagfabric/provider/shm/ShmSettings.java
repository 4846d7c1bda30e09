package io.tagfabric.provider.shm;

import io.tagfabric.cluster.settings.Setting;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.provider.shm.ring.ShmLayout;
import io.tagfabric.wire.InjectRecord;
import java.time.Duration;
import java.util.List;

/**
 * The settings {@code tagfabric.provider.shm.*}, read once for each domain.
 *
 * @param ringBytes capacity of the ring, a power of two
 * @param inlineBytes longest packet that travels in the ring
 * @param lanes rings of one sender each
 * @param laneBytes capacity of such a ring, a power of two
 * @param slots places for longer packets
 * @param wholeLines whether long payloads may be written there by whole lines
 * @param place whether messages are read from and written to fabric memory directly
 * @param placeBytes shortest message of which that is so; one from there asks first then
 * @param checkNs distance of two looks at the peers and at a blocked ring
 * @param repairNs how long a ring may be blocked before the dead are looked for
 */
public record ShmSettings(
    int ringBytes,
    int inlineBytes,
    int lanes,
    int laneBytes,
    int slots,
    boolean wholeLines,
    boolean place,
    int placeBytes,
    long checkNs,
    long repairNs) {
  static final String NAME = "shm";
  static final int MAX_PACKET_BYTES = 64 * 1024;
  private static final int KIB = 1024;
  private static final int MIB = 1024 * KIB;

  static final Setting<Long> RING_SIZE =
      Setting.bytes("provider.shm.ring-size", 64 * KIB, 64 * MIB);
  static final Setting<Long> INLINE_LIMIT =
      Setting.bytes("provider.shm.inline-limit", KIB, 64 * KIB);
  static final Setting<Integer> LANES =
      Setting.integer("provider.shm.lanes", 0, ShmLayout.MOST_LANES);
  static final Setting<Long> LANE_SIZE =
      Setting.bytes("provider.shm.lane-size", 16 * KIB, 16 * MIB);
  static final Setting<Integer> SLOTS = Setting.integer("provider.shm.slots", 1, 4096);
  static final Setting<Boolean> WHOLE_LINES = Setting.bool("provider.shm.whole-lines");
  static final Setting<Boolean> PLACE = Setting.bool("provider.shm.place");
  static final Setting<Long> PLACE_LIMIT = Setting.bytes("provider.shm.place-limit", 0, 1024 * MIB);
  static final Setting<Duration> CHECK_INTERVAL =
      Setting.duration("provider.shm.check-interval", Duration.ofMillis(1), Duration.ofMinutes(1));
  static final Setting<Duration> REPAIR_AFTER =
      Setting.duration("provider.shm.repair-after", Duration.ofMillis(1), Duration.ofMinutes(1));

  static final List<Setting<?>> ALL =
      List.of(
          RING_SIZE,
          INLINE_LIMIT,
          LANES,
          LANE_SIZE,
          SLOTS,
          WHOLE_LINES,
          PLACE,
          PLACE_LIMIT,
          CHECK_INTERVAL,
          REPAIR_AFTER);

  public ShmSettings {
    if (Integer.bitCount(ringBytes) != 1) {
      throw new IllegalArgumentException(
          "provider.shm.ring-size=" + ringBytes + " is not a power of two, take the next one");
    }
    if (Integer.bitCount(laneBytes) != 1) {
      throw new IllegalArgumentException(
          "provider.shm.lane-size=" + laneBytes + " is not a power of two, take the next one");
    }
    if (lanes > 0 && inlineBytes > laneBytes / SHARE_OF_RING) {
      throw new IllegalArgumentException(
          "provider.shm.inline-limit="
              + inlineBytes
              + " > an eighth of provider.shm.lane-size="
              + laneBytes
              + ", raise provider.shm.lane-size");
    }
    if (inlineBytes > ringBytes / SHARE_OF_RING) {
      throw new IllegalArgumentException(
          "provider.shm.inline-limit="
              + inlineBytes
              + " > an eighth of provider.shm.ring-size="
              + ringBytes
              + ", raise provider.shm.ring-size");
    }
  }

  /** A ring takes no record longer than this part of it. */
  private static final int SHARE_OF_RING = 8;

  /** What the file of a domain is made of. */
  ShmLayout layout() {
    return new ShmLayout(ringBytes, lanes, laneBytes, slots, MAX_PACKET_BYTES);
  }

  /** The longest record that travels without a slot: a message of that limit, with its header. */
  int longestRecordBytes() {
    return inlineBytes + InjectRecord.MOST_HEADER_BYTES;
  }

  public static ShmSettings of(Settings settings) {
    return new ShmSettings(
        settings.get(RING_SIZE).intValue(),
        settings.get(INLINE_LIMIT).intValue(),
        settings.get(LANES),
        settings.get(LANE_SIZE).intValue(),
        settings.get(SLOTS),
        settings.get(WHOLE_LINES),
        settings.get(PLACE),
        settings.get(PLACE_LIMIT).intValue(),
        settings.get(CHECK_INTERVAL).toNanos(),
        settings.get(REPAIR_AFTER).toNanos());
  }
}
