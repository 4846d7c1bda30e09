package io.tagfabric.cluster.job;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proves that its owner has a job's key, without telling the key: HMAC-SHA256 over what the proof
 * is for. A proof made for one purpose is worth nothing for another one. With several keys proofs
 * are made by the first and taken by any ({@link JobKeys}). Thread: any.
 *
 * @source RFC 2104 (HMAC); RFC 5869 §2.3 (a key for each purpose)
 */
public final class KeyProof {
  /** Bytes of a proof. */
  public static final int BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";

  /** Stands for a key that none is. */
  public static final int NO_KEY = -1;

  private final List<Mac> macs;

  /**
   * Proofs by one key for one purpose.
   *
   * @param purpose tells the proofs of this use from those of any other
   */
  public KeyProof(UUID jobKey, String purpose) {
    this(List.of(jobKey), purpose);
  }

  /**
   * Proofs by the first of these keys for one purpose, and checks by all of them.
   *
   * @param purpose tells the proofs of this use from those of any other
   */
  public KeyProof(List<UUID> jobKeys, String purpose) {
    macs = jobKeys.stream().map(key -> mac(key, purpose)).toList();
  }

  private KeyProof(List<Mac> macs) {
    this.macs = macs;
  }

  /** Proofs by the same keys for another purpose; neither is worth anything for the other. */
  public KeyProof toward(String purpose) {
    return new KeyProof(
        IntStream.range(0, macs.size())
            .mapToObj(key -> mac(new SecretKeySpec(over(key, part(purpose)), ALGORITHM)))
            .toList());
  }

  private static Mac mac(UUID jobKey, String purpose) {
    ByteBuffer bytes =
        ByteBuffer.allocate(2 * Long.BYTES)
            .putLong(jobKey.getMostSignificantBits())
            .putLong(jobKey.getLeastSignificantBits());
    byte[] own =
        mac(new SecretKeySpec(bytes.array(), ALGORITHM))
            .doFinal(purpose.getBytes(StandardCharsets.UTF_8));
    return mac(new SecretKeySpec(own, ALGORITHM));
  }

  /**
   * A proof by the first key over these parts, in this order; parts that are cut elsewhere give
   * another one.
   *
   * @return {@value #BYTES} bytes
   */
  public byte[] over(byte[]... parts) {
    return over(0, parts);
  }

  /**
   * The same by another of the keys.
   *
   * @param key which of them, from 0
   */
  public synchronized byte[] over(int key, byte[]... parts) {
    Mac mac = macs.get(key);
    mac.reset(); // whatever ended the call before
    for (byte[] part : parts) {
      mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
      mac.update(part);
    }
    return mac.doFinal();
  }

  /** Whether a proof is the one over these parts by any of the keys. */
  public boolean holds(byte[] proof, byte[]... parts) {
    return keyOf(proof, parts) != NO_KEY;
  }

  /**
   * Which of the keys a proof over these parts was made by; takes as long whatever differs.
   *
   * @return from 0, {@link #NO_KEY} if by none
   */
  public int keyOf(byte[] proof, byte[]... parts) {
    int found = NO_KEY;
    for (int key = 0; key < macs.size(); key++) {
      found = MessageDigest.isEqual(proof, over(key, parts)) ? key : found;
    }
    return found;
  }

  /** Numbers as a part. */
  public static byte[] part(long... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
    for (long number : numbers) {
      bytes.putLong(number);
    }
    return bytes.array();
  }

  /** A text as a part. */
  public static byte[] part(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Mac mac(SecretKeySpec key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JVM has " + ALGORITHM + ", this one has not", e);
    }
  }
}
