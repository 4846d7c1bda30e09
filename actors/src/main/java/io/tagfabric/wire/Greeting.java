package io.tagfabric.wire;

import java.util.UUID;

/**
 * What two endpoints tell each other before the first message.
 *
 * @param flow the asker's number of the flow
 * @param protocol version of the protocol spoken
 * @param jobKey the asker's job
 * @param partitionKey the asker's partition of the job
 * @param objectFingerprint fingerprint of the asker's Kryo registrations
 * @param endpoint number of the endpoint the asker wants to reach
 * @param address the asker's endpoint address, encoded
 * @param objects the asker's Kryo registrations in words
 */
public record Greeting(
    int flow,
    int protocol,
    UUID jobKey,
    int partitionKey,
    long objectFingerprint,
    int endpoint,
    String address,
    String objects) {
  /** The version of the protocol that this code speaks. */
  public static final int PROTOCOL = 3;
}
