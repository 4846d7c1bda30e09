package io.tagfabric.match.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * A match table beside the two lists; every step runs on both and must answer the same entry.
 * Entries are used again after they were taken out, as a program with pools does.
 */
final class ComparedTable {
  final MatchTable<Receive, Message> table;
  final TwoListMatcher model = new TwoListMatcher();
  private final ArrayDeque<Receive> freeReceives = new ArrayDeque<>();
  private final ArrayDeque<Message> freeMessages = new ArrayDeque<>();

  ComparedTable(int maxUnexpectedClasses) {
    table = new MatchTable<>(maxUnexpectedClasses);
  }

  void arrive(long tag, int source) {
    Receive expected = model.firstPosted(tag, source);
    same(table.peekArrival(tag, source), expected);
    same(table.matchArrival(tag, source), expected);
    if (expected != null) {
      taken(expected);
      return;
    }
    Message message = freeMessages.isEmpty() ? new Message() : freeMessages.poll();
    table.addUnexpected(message.sent(tag, source));
    model.unexpected.add(message);
  }

  void post(long tag, long ignore, int source) {
    Message expected = model.firstUnexpected(tag, ignore, source);
    same(table.matchPost(tag, ignore, source), expected);
    if (expected != null) {
      taken(expected);
      return;
    }
    Receive receive = freeReceives.isEmpty() ? new Receive() : freeReceives.poll();
    table.addPosted(receive.wants(tag, ignore, source));
    model.posted.add(receive);
  }

  void peek(long tag, long ignore, int source) {
    same(table.peek(tag, ignore, source), model.firstUnexpected(tag, ignore, source));
  }

  void cancel(int nth) {
    if (!model.posted.isEmpty()) {
      Receive receive = model.posted.get(Math.floorMod(nth, model.posted.size()));
      same(table.remove(receive), true);
      same(table.remove(receive), false);
      taken(receive);
    }
  }

  void discard(int nth) {
    if (!model.unexpected.isEmpty()) {
      Message message = model.unexpected.get(Math.floorMod(nth, model.unexpected.size()));
      same(table.remove(message), true);
      same(table.remove(message), false);
      taken(message);
    }
  }

  void losePeer(int source) {
    table.forEachPosted(
        receive -> {
          if (receive.source() == source) {
            assertThat(table.remove(receive)).isTrue();
            taken(receive);
          }
        });
    table.forEachUnexpected(
        message -> {
          if (message.source() == source) {
            assertThat(table.remove(message)).isTrue();
            taken(message);
          }
        });
  }

  void compareCounts() {
    if (table.postedCount() != model.posted.size()
        || table.unexpectedCount() != model.unexpected.size()) {
      compareAll();
    }
  }

  void compareAll() {
    List<Receive> receives = new ArrayList<>();
    table.forEachPosted(receives::add);
    assertThat(receives).isEqualTo(model.posted);
    assertThat(table.postedCount()).isEqualTo(model.posted.size());
    List<Message> messages = new ArrayList<>();
    table.forEachUnexpected(messages::add);
    assertThat(messages).isEqualTo(model.unexpected);
    assertThat(table.unexpectedCount()).isEqualTo(model.unexpected.size());
  }

  private void taken(Receive receive) {
    model.posted.remove(receive);
    same(receive.isPosted(), false);
    freeReceives.add(receive);
  }

  private void taken(Message message) {
    model.unexpected.remove(message);
    same(message.isQueued(), false);
    freeMessages.add(message);
  }

  /** Asserts only on a difference: building an assertion for each of millions of steps is slow. */
  private static void same(Object actual, Object expected) {
    if (actual != expected) {
      assertThat(actual).isSameAs(expected);
    }
  }
}
