package io.tagfabric.cluster.job;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.UUID;

/**
 * Compares keys of jobs. Who has a job's key belongs to the job, so neither a text nor the time a
 * comparison takes may tell it. Thread: any.
 */
public final class JobKeys {
  private JobKeys() {}

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
