package io.tagfabric.match.core;

import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.table.MatchTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Receives and messages with a tag, and those without, which never meet. Single threaded. */
final class MatchTables {
  private final int maxUnexpectedClasses;
  private final MatchTable<PostedReceive, UnexpectedMessage> tagged;

  /** Null before the first. */
  private MatchTable<PostedReceive, UnexpectedMessage> untagged;

  MatchTables(int maxUnexpectedClasses) {
    this.maxUnexpectedClasses = maxUnexpectedClasses;
    tagged = new MatchTable<>(maxUnexpectedClasses);
  }

  MatchTable<PostedReceive, UnexpectedMessage> tagged() {
    return tagged;
  }

  MatchTable<PostedReceive, UnexpectedMessage> of(boolean isUntagged) {
    if (!isUntagged) {
      return tagged;
    }
    if (untagged == null) {
      untagged = new MatchTable<>(maxUnexpectedClasses);
    }
    return untagged;
  }

  private List<MatchTable<PostedReceive, UnexpectedMessage>> inUse() {
    return untagged == null ? List.of(tagged) : List.of(tagged, untagged);
  }

  boolean remove(PostedReceive receive) {
    return of(receive.isUntagged()).remove(receive);
  }

  boolean remove(UnexpectedMessage message) {
    return of(message.untagged).remove(message);
  }

  /** Posted receives, in the order posted: those with a tag, then those without. */
  List<PostedReceive> posted(Predicate<PostedReceive> which) {
    List<PostedReceive> chosen = new ArrayList<>();
    for (MatchTable<PostedReceive, UnexpectedMessage> each : inUse()) {
      each.forEachPosted(
          receive -> {
            if (which.test(receive)) {
              chosen.add(receive);
            }
          });
    }
    return chosen;
  }

  /** Messages that wait, in the order of arrival: those with a tag, then those without. */
  List<UnexpectedMessage> unexpected(Predicate<UnexpectedMessage> which) {
    List<UnexpectedMessage> chosen = new ArrayList<>();
    forEachUnexpected(
        message -> {
          if (which.test(message)) {
            chosen.add(message);
          }
        });
    return chosen;
  }

  /** Visits messages that wait; the action may take them out. */
  void forEachUnexpected(Consumer<UnexpectedMessage> action) {
    inUse().forEach(each -> each.forEachUnexpected(action));
  }

  int postedCount() {
    return tagged.postedCount() + (untagged == null ? 0 : untagged.postedCount());
  }

  int unexpectedCount() {
    return tagged.unexpectedCount() + (untagged == null ? 0 : untagged.unexpectedCount());
  }
}
