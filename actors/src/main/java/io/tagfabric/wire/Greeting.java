package io.tagfabric.wire;

import io.tagfabric.annotation.InternalApi;

/**
 * What two endpoints tell each other before the first message.
 *
 * @param flow the teller's number of the flow
 * @param yourFlow the other's number of it; none in a Hello
 * @param nonce the teller's, new for each flow
 * @param yourNonce that of the Hello which is answered; none in a Hello
 * @param limits what the teller takes
 */
@InternalApi
public record Greeting(int flow, int yourFlow, Nonce nonce, Nonce yourNonce, Limits limits) {
  /** The version of the protocol that this code speaks. */
  public static final int PROTOCOL = 6;

  /** A number that is used once, 128 bits at random. */
  public record Nonce(long high, long low) {
    /** Stands for a nonce where there is none. */
    public static final Nonce NONE = new Nonce(0, 0);
  }

  /**
   * What a side takes; its peer refuses to send what is beyond, and a peer that sends it all the
   * same loses its flow.
   *
   * @param maxMessageBytes longest message
   * @param maxUnaskedBytes longest message whose bytes may come without having been asked for
   */
  public record Limits(long maxMessageBytes, long maxUnaskedBytes) {
    /** Takes everything. */
    public static final Limits NONE = new Limits(Long.MAX_VALUE, Integer.MAX_VALUE);

    /** In place of the longest message: it takes none at all. */
    public static final long NO_MESSAGE = -1;

    public Limits {
      if (maxMessageBytes < NO_MESSAGE || maxUnaskedBytes < 0) {
        throw new IllegalArgumentException(
            "maxMessageBytes="
                + maxMessageBytes
                + " or maxUnaskedBytes="
                + maxUnaskedBytes
                + " < 0");
      }
    }
  }

  /**
   * A Hello.
   *
   * @param greeting what every greeting tells
   * @param protocol version of the protocol spoken
   * @param incarnation that the asker wants to reach
   * @param endpoint number of the endpoint that the asker wants to reach
   * @param partitionKey the asker's partition of the job
   * @param objectFingerprint fingerprint of the asker's Kryo registrations
   * @param address the asker's endpoint address, encoded
   * @param objects the asker's Kryo registrations in words
   */
  public record Hello(
      Greeting greeting,
      int protocol,
      long incarnation,
      int endpoint,
      int partitionKey,
      long objectFingerprint,
      String address,
      String objects) {}

  /**
   * A refusal of a Hello.
   *
   * @param yourFlow the asker's number of the flow
   * @param yourNonce that of its Hello
   * @param errorCode of a fabric error
   * @param reason for people
   */
  public record Refusal(int yourFlow, Nonce yourNonce, int errorCode, String reason) {}
}
