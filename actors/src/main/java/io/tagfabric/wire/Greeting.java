package io.tagfabric.wire;

import io.tagfabric.address.Protocols;
import io.tagfabric.annotation.InternalApi;

/** What two endpoints tell each other before the first message. */
@InternalApi
public final class Greeting {
  private Greeting() {}

  /** A number that is used once, 128 bits at random. */
  public record Nonce(long high, long low) {}

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
   * The part of a Hello that is frozen: any build can read it, and refuse it.
   *
   * @param protocols that the asker speaks
   * @param flow the asker's number of the flow
   * @param endpoint number of the endpoint that the asker wants to reach
   * @param nonce the asker's, new for each flow
   * @param incarnation that the asker wants to reach
   * @param address the asker's endpoint address, encoded
   */
  public record Question(
      Protocols protocols, int flow, int endpoint, Nonce nonce, long incarnation, String address) {}

  /**
   * A Hello.
   *
   * @param limits what the asker takes
   * @param partitionKey the asker's partition of the job
   * @param objectFingerprint fingerprint of the asker's Kryo registrations
   * @param objects the asker's Kryo registrations in words
   */
  public record Hello(
      Question question, Limits limits, int partitionKey, long objectFingerprint, String objects) {}

  /**
   * The acceptance of a Hello.
   *
   * @param protocol the highest that both speak
   * @param flow the answerer's number of the flow
   * @param yourFlow the asker's
   * @param nonce the answerer's, new for each flow
   * @param yourNonce that of the Hello
   * @param limits what the answerer takes
   */
  public record Welcome(
      int protocol, int flow, int yourFlow, Nonce nonce, Nonce yourNonce, Limits limits) {}

  /**
   * A refusal of a Hello.
   *
   * @param protocols that the answerer speaks
   * @param yourFlow the asker's number of the flow
   * @param yourNonce that of its Hello
   * @param errorCode of a fabric error
   * @param reason for people
   */
  public record Refusal(
      Protocols protocols, int yourFlow, Nonce yourNonce, int errorCode, String reason) {}
}
