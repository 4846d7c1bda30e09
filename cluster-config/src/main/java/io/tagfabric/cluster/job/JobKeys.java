package io.tagfabric.cluster.job;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.settings.Settings;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.UUID;

/**
 * Keys of jobs: which one settings name, and whether two are the same. A process that has a job's
 * key belongs to the job, so neither a text nor the time a comparison takes may tell it. Thread:
 * any.
 */
@InternalApi
public final class JobKeys {
  /** Stands for a key where there is no job. */
  public static final UUID NO_JOB = new UUID(0, 0);

  private JobKeys() {}

  /** The key of the job that settings describe, {@link #NO_JOB} if they describe none. */
  public static UUID of(Settings settings) {
    return settings.find(JobSettings.KEY).orElse(NO_JOB);
  }

  /** Whether two keys are the same; takes as long whatever differs. */
  public static boolean areEqual(UUID one, UUID other) {
    return MessageDigest.isEqual(bytes(one), bytes(other));
  }

  private static byte[] bytes(UUID key) {
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(key.getMostSignificantBits())
        .putLong(key.getLeastSignificantBits())
        .array();
  }
}
