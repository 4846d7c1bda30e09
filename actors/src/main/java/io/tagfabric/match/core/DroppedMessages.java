package io.tagfabric.match.core;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.match.MessageInfo;
import io.tagfabric.match.StreamEnd;
import java.util.List;

/** Counts the messages that arrived and that no receive gets any more, but for ends of streams. */
@InternalApi
public final class DroppedMessages {
  /**
   * How many they are.
   *
   * @param whole came with all their bytes, so their senders may think them received
   * @param refused wait at their senders, which hear that this side has closed
   * @param first one of them, the first whole one that came if it has a tag; null if there is none
   */
  public record Count(int whole, int refused, MessageInfo first) {}

  /** Messages that came whole after the close, and the first of them. */
  private int late;

  private MessageInfo firstLate;

  /** Messages whose bytes waited at their senders when this side closed, and the first of them. */
  private int refused;

  private MessageInfo firstRefused;

  /** A message has come whole after the close. */
  void late(Envelope message) {
    if (StreamEnd.of(message.hasData, message.data) == null) {
      late++;
      if (firstLate == null) {
        firstLate = UnexpectedMessage.info(message);
      }
    }
  }

  /** The bytes of a message wait at its sender, and nobody will ask for them. */
  void refused(MessageInfo message) {
    if (StreamEnd.of(message.hasData(), message.data()) == null) {
      refused++;
      if (firstRefused == null) {
        firstRefused = message;
      }
    }
  }

  /** The side closes while a message waits. */
  void refuseIfAnnounced(UnexpectedMessage message) {
    if (message.isAnnounced() && message.lostBy() == null) {
      refused(message.info());
    }
  }

  /**
   * What has been dropped.
   *
   * @param waiting messages that came whole before the close and that no receive has taken
   */
  Count count(List<UnexpectedMessage> waiting) {
    MessageInfo first = waiting.isEmpty() ? firstLate : waiting.get(0).info();
    return new Count(waiting.size() + late, refused, first == null ? firstRefused : first);
  }
}
