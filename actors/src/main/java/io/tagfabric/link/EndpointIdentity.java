package io.tagfabric.link;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.job.KeyProof;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/** What an endpoint is, and with which others it may speak. Thread: any. */
@InternalApi
public final class EndpointIdentity {
  private final List<UUID> jobKeys;
  private final int[] isolations;
  private final int partitionKey;
  private final long objectFingerprint;
  private final String objects;
  private final Function<String, List<String>> objectDifference;
  private volatile EndpointAddress address;

  /** The address as text, null before it is asked for. */
  private volatile String encoded;

  /**
   * An identity.
   *
   * @param address where it is
   * @param jobKeys only endpoints that share one speak; the first is that of proofs
   * @param partitionKey only endpoints of the same partition speak
   * @param objectFingerprint fingerprint of the Kryo registrations; peers must have the same
   * @param objects the registrations in words
   * @param objectDifference names the registrations that differ from a peer's, given in words
   */
  public EndpointIdentity(
      EndpointAddress address,
      List<UUID> jobKeys,
      int partitionKey,
      long objectFingerprint,
      String objects,
      Function<String, List<String>> objectDifference) {
    this.address = address;
    this.jobKeys = List.copyOf(jobKeys);
    isolations = jobKeys.stream().mapToInt(key -> isolation(key, partitionKey)).toArray();
    this.partitionKey = partitionKey;
    this.objectFingerprint = objectFingerprint;
    this.objects = objects;
    this.objectDifference = objectDifference;
  }

  public EndpointAddress address() {
    return address;
  }

  /** The address as a Hello tells it. */
  String encodedAddress() {
    String known = encoded;
    if (known == null) {
      known = address.encode();
      encoded = known;
    }
    return known;
  }

  /** It is a context of a scalable endpoint; before anybody has heard of it. */
  public void becomeContext(EndpointAddress newAddress) {
    address = newAddress;
    encoded = null;
  }

  List<UUID> jobKeys() {
    return jobKeys;
  }

  int partitionKey() {
    return partitionKey;
  }

  long objectFingerprint() {
    return objectFingerprint;
  }

  String objects() {
    return objects;
  }

  Function<String, List<String>> objectDifference() {
    return objectDifference;
  }

  private static int isolation(UUID jobKey, int partition) {
    byte[] proof = new KeyProof(jobKey, "tagfabric isolation").over(KeyProof.part(partition));
    return ByteBuffer.wrap(proof).getInt();
  }

  /**
   * What packets of this job and partition carry, to a peer that has proved one of the job's keys;
   * it does not tell the key.
   *
   * @param key which of them, from 0
   */
  int isolation(int key) {
    return isolations[key];
  }

  /** The same of all keys, in their order: what packets of peers may carry. */
  int[] isolations() {
    return isolations.clone();
  }

  /** Proofs to peers that an endpoint is of a job. */
  public static KeyProof setUpProofs(List<UUID> jobKeys) {
    return new KeyProof(jobKeys, "tagfabric set-up of flows");
  }
}
