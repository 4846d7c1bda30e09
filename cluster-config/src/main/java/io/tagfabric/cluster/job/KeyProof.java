package io.tagfabric.cluster.job;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proves that its owner has a job's key, without telling the key: HMAC-SHA256 over what the proof
 * is for. A proof made for one purpose is worth nothing for another one. Thread: any.
 *
 * @source RFC 2104 (HMAC); RFC 5869 §2.3 (a key for each purpose)
 */
public final class KeyProof {
  /** Bytes of a proof. */
  public static final int BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";

  private final Mac mac;

  /**
   * Proofs by one key for one purpose.
   *
   * @param purpose tells the proofs of this use from those of any other
   */
  public KeyProof(UUID jobKey, String purpose) {
    ByteBuffer bytes =
        ByteBuffer.allocate(2 * Long.BYTES)
            .putLong(jobKey.getMostSignificantBits())
            .putLong(jobKey.getLeastSignificantBits());
    byte[] own =
        mac(new SecretKeySpec(bytes.array(), ALGORITHM))
            .doFinal(purpose.getBytes(StandardCharsets.UTF_8));
    mac = mac(new SecretKeySpec(own, ALGORITHM));
  }

  /**
   * A proof over these parts, in this order; parts that are cut elsewhere give another one.
   *
   * @return {@value #BYTES} bytes
   */
  public synchronized byte[] over(byte[]... parts) {
    mac.reset(); // whatever ended the call before
    for (byte[] part : parts) {
      mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
      mac.update(part);
    }
    return mac.doFinal();
  }

  /** Whether a proof is the one over these parts; takes as long whatever differs. */
  public boolean holds(byte[] proof, byte[]... parts) {
    return MessageDigest.isEqual(proof, over(parts));
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
