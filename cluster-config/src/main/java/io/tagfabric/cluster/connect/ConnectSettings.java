package io.tagfabric.cluster.connect;

import io.tagfabric.cluster.settings.Setting;
import java.util.List;

/** The settings {@code tagfabric.connect.*}: which flows between ranks there are, and when. */
public final class ConnectSettings {
  /** Which flows are set up when the job starts. */
  public enum AtStart {
    /** None. */
    NONE,
    /** Those of {@code connect.file-in}, none without it. */
    LISTED,
    /** All. */
    ALL
  }

  public static final Setting<AtStart> STATIC =
      Setting.choice("connect.static", AtStart.class).agreed();
  public static final Setting<Boolean> DYNAMIC = Setting.bool("connect.dynamic").agreed();
  public static final Setting<String> FILE_IN = Setting.string("connect.file-in").agreed();
  public static final Setting<String> FILE_OUT = Setting.string("connect.file-out");
  public static final Setting<Integer> FILE_BASE =
      Setting.integer("connect.file-base", Character.MIN_RADIX, Character.MAX_RADIX);

  /** All of them, in the order they are shown. */
  public static final List<Setting<?>> ALL = List.of(STATIC, DYNAMIC, FILE_IN, FILE_OUT, FILE_BASE);

  private ConnectSettings() {}
}
