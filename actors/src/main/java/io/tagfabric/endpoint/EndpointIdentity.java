package io.tagfabric.endpoint;

import io.tagfabric.address.EndpointAddress;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * Who an endpoint is, and with whom it may speak.
 *
 * @param address where it is
 * @param jobKey only endpoints of the same job speak
 * @param partitionKey only endpoints of the same partition speak
 * @param objectFingerprint fingerprint of the Kryo registrations; peers must have the same
 * @param objects the registrations in words
 * @param objectDifference names the registrations that differ from a peer's, given in words
 */
public record EndpointIdentity(
    EndpointAddress address,
    UUID jobKey,
    int partitionKey,
    long objectFingerprint,
    String objects,
    Function<String, List<String>> objectDifference) {
  /** Hash of job and partition that every packet carries. */
  int isolation() {
    return isolation(jobKey, partitionKey);
  }

  static int isolation(UUID jobKey, int partitionKey) {
    return jobKey.hashCode() * 31 + partitionKey;
  }
}
