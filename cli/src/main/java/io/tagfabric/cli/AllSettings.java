package io.tagfabric.cli;

import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.launch.LaunchSettings;
import io.tagfabric.cluster.settings.Setting;
import io.tagfabric.fabric.FabricSettings;
import java.util.ArrayList;
import java.util.List;

/** Every setting below {@code tagfabric}, for those who show them. */
final class AllSettings {
  private static final int GIB = 1 << 30;

  /** The codec reads its block by itself; here it is for showing only. */
  private static final List<Setting<?>> OBJECTS =
      List.of(
          Setting.strings("kryo.registrations"),
          Setting.bytes("kryo.max-object-size", 1, GIB),
          Setting.integer("kryo.max-depth", 1, 10_000),
          Setting.integer("kryo.pool-size", 1, 65_536),
          Setting.bytes("kryo.kept-buffer-size", 1, GIB));

  private AllSettings() {}

  /** All of them, block by block. */
  static List<Setting<?>> list() {
    List<Setting<?>> all = new ArrayList<>();
    all.addAll(FabricSettings.ALL);
    all.addAll(OBJECTS);
    all.addAll(JobSettings.ALL);
    all.addAll(LaunchSettings.ALL);
    return List.copyOf(all);
  }
}
