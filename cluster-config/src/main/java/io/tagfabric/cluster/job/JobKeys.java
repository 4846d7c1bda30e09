package io.tagfabric.cluster.job;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.settings.Settings;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/**
 * Keys of jobs: which ones settings name, and whether two are the same. A process that has a job's
 * key belongs to the job, so neither a text nor the time a comparison takes may tell it. Thread:
 * any.
 *
 * <p>A node proves that it is of its job by the first of its keys, and takes a proof by any of
 * them. An answer is proved by the key that proved the question. So keys are exchanged without a
 * stop, by three rolls over all nodes: append the new key, put it first, drop the old one.
 *
 * <pre>
 *   roll          nodes before    nodes after     both know
 *   1 append      old             old, new        old
 *   2 put first   old, new        new, old        old, new
 *   3 drop        new, old        new             new
 * </pre>
 *
 * <p>Of two nodes that are two rolls apart, the one that still has the old key alone does not take
 * the questions of the other; its own are answered.
 */
@InternalApi
public final class JobKeys {
  /** Stands for a key where there is no job. */
  public static final UUID NO_JOB = new UUID(0, 0);

  private static final int ID_BYTES = 16;

  private JobKeys() {}

  /**
   * The keys of the job that settings describe, that of proofs first; {@link #NO_JOB} alone if they
   * describe none.
   */
  public static List<UUID> of(Settings settings) {
    return settings.find(JobSettings.KEY).orElse(List.of(NO_JOB));
  }

  /**
   * What may be told of each key to name it: nodes that tell the same id have the same key and
   * partition, and who knows an id learns nothing of its key.
   *
   * @param partition of the job
   * @return 32 hexadecimal digits each, in the order of the keys
   */
  public static List<String> ids(List<UUID> keys, int partition) {
    return keys.stream().map(key -> id(key, partition)).toList();
  }

  private static String id(UUID key, int partition) {
    byte[] proof = new KeyProof(key, "tagfabric announcement").over(KeyProof.part(partition));
    return HexFormat.of().formatHex(proof, 0, ID_BYTES);
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
