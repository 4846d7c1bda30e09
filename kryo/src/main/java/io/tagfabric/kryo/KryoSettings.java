package io.tagfabric.kryo;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.annotation.InternalApi;

/**
 * Limits of one {@link KryoCodec}; what is registered is in {@link KryoRegistrations}.
 *
 * @param maxObjectSizeBytes most bytes one object may take on the wire, in both directions; at most
 *     1 GiB
 * @param maxDepth most objects nested in one another, in both directions
 * @param poolSize most idle Kryo instances kept for reuse
 * @param keptBufferBytes buffers of idle instances above this are given to the garbage collector
 */
@InternalApi
public record KryoSettings(
    int maxObjectSizeBytes, int maxDepth, int poolSize, int keptBufferBytes) {
  private static final String PATH = "tagfabric.kryo";
  private static final int LARGEST = 1 << 30;

  /**
   * Checks each number against its range.
   *
   * @throws IllegalArgumentException naming the setting that is out of range
   */
  public KryoSettings {
    check("max-object-size", maxObjectSizeBytes, LARGEST);
    check("max-depth", maxDepth, 10_000);
    check("pool-size", poolSize, 65_536);
    check("kept-buffer-size", keptBufferBytes, LARGEST);
  }

  /** The settings of {@code tagfabric-kryo.conf}, untouched. */
  public static KryoSettings defaults() {
    return of(
        ConfigFactory.parseResources(KryoSettings.class, "/tagfabric-kryo.conf").getConfig(PATH));
  }

  /**
   * Reads the block {@code tagfabric.kryo}.
   *
   * @param kryo the block itself, as {@code config.getConfig("tagfabric.kryo")} gives it
   * @throws IllegalArgumentException naming the setting that is out of range
   */
  public static KryoSettings of(Config kryo) {
    return new KryoSettings(
        bytes(kryo, "max-object-size"),
        kryo.getInt("max-depth"),
        kryo.getInt("pool-size"),
        bytes(kryo, "kept-buffer-size"));
  }

  private static int bytes(Config kryo, String key) {
    long bytes = kryo.getBytes(key);
    check(key, bytes, LARGEST);
    return (int) bytes;
  }

  private static void check(String key, long value, long most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(
          "%s.%s=%d is not in 1..%d".formatted(PATH, key, value, most));
    }
  }
}
