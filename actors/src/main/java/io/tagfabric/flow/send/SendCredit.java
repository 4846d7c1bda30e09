package io.tagfabric.flow.send;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;

/**
 * What the peer has granted this side, and what of it is used. Requests (tagged messages among
 * them) and replies are counted apart, so that a reply never waits for room that requests have
 * filled. All are totals since the flow began: a lost header does no harm, the next one says the
 * same or more.
 *
 * @source GASNet-EX, active messages: replies must never be blocked by requests
 */
@InternalApi
public final class SendCredit {
  private long sentBytes;
  private long sentMessages;
  private long sentReplies;
  private long grantedBytes;
  private long grantedMessages;
  private long grantedReplies;

  /** Whether one more message may be sent or announced. */
  boolean hasMessage() {
    return sentMessages < grantedMessages;
  }

  /** Whether the peer would keep so many bytes more. */
  boolean hasBytes(int bytes) {
    return sentBytes + bytes <= grantedBytes;
  }

  /** Whether one more reply may be sent. */
  boolean hasReply() {
    return sentReplies < grantedReplies;
  }

  /**
   * A message is on its way.
   *
   * @param bytes that the peer keeps until it is received; 0 for one that is only announced
   */
  void useMessage(int bytes) {
    sentMessages++;
    sentBytes += bytes;
  }

  /** Messages that may be sent or announced before more is granted. */
  long messagesLeft() {
    return grantedMessages - sentMessages;
  }

  /** Bytes that the peer would keep before more is granted. */
  long bytesLeft() {
    return grantedBytes - sentBytes;
  }

  void useReply() {
    sentReplies++;
  }

  /**
   * Takes what a header grants.
   *
   * @return whether it is more than before
   */
  boolean take(PacketHeaderDecoder header) {
    int bytes = Math.max(0, header.grantedBytes() - (int) grantedBytes);
    int messages = Math.max(0, header.grantedMessages() - (int) grantedMessages);
    int replies = Math.max(0, header.grantedReplies() - (int) grantedReplies);
    grantedBytes += bytes;
    grantedMessages += messages;
    grantedReplies += replies;
    return (bytes | messages | replies) != 0;
  }
}
