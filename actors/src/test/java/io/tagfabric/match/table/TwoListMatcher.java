package io.tagfabric.match.table;

import java.util.ArrayList;
import java.util.List;

/** What matching means: two lists, walked from the front. Shares no code with the table. */
final class TwoListMatcher {
  final List<Receive> posted = new ArrayList<>();
  final List<Message> unexpected = new ArrayList<>();

  Receive firstPosted(long tag, int source) {
    for (Receive receive : posted) {
      if (fits(tag, source, receive.tag(), receive.ignore(), receive.source())) {
        return receive;
      }
    }
    return null;
  }

  Message firstUnexpected(long tag, long ignore, int source) {
    for (Message message : unexpected) {
      if (fits(message.tag(), message.source(), tag, ignore, source)) {
        return message;
      }
    }
    return null;
  }

  private static boolean fits(long sent, int sender, long tag, long ignore, int source) {
    return (sent | ignore) == (tag | ignore) && (source == -1 || source == sender);
  }
}
