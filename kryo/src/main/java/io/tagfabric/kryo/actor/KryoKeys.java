package io.tagfabric.kryo.actor;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.settings.Setting;
import java.util.List;

/** The settings below {@code tagfabric.kryo}; {@code tagfabric-kryo.conf} explains them. */
@InternalApi
public final class KryoKeys {
  private static final long GIB = 1L << 30;

  public static final Setting<List<String>> REGISTRATIONS = Setting.strings("kryo.registrations");
  public static final Setting<Long> MAX_OBJECT_SIZE = Setting.bytes("kryo.max-object-size", 1, GIB);
  public static final Setting<Integer> MAX_DEPTH = Setting.integer("kryo.max-depth", 1, 10_000);
  public static final Setting<Integer> POOL_SIZE = Setting.integer("kryo.pool-size", 1, 65_536);
  public static final Setting<Long> KEPT_BUFFER_SIZE =
      Setting.bytes("kryo.kept-buffer-size", 1, GIB);

  /** All of them. */
  public static final List<Setting<?>> ALL =
      List.of(REGISTRATIONS, MAX_OBJECT_SIZE, MAX_DEPTH, POOL_SIZE, KEPT_BUFFER_SIZE);

  private KryoKeys() {}
}
