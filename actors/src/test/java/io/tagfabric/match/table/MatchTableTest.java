package io.tagfabric.match.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.tag.TagSelector;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MatchTableTest {
  private static final int PEER = 3;
  private static final int OTHER_PEER = 4;
  private static final int ANY = TagSelector.ANY_SOURCE;
  private static final long TAG = 7;

  private final MatchTable<Receive, Message> table = new MatchTable<>(2);

  @ParameterizedTest
  @ValueSource(ints = {0, 100})
  void shouldKeepPostOrderWhenDirectedAndAnySourceReceivesMix(int others) {
    postOthers(others);
    Receive any1 = post(TagSelector.exact(TAG));
    Receive directed1 = post(TagSelector.exact(TAG).from(PEER));
    Receive any2 = post(TagSelector.exact(TAG));
    Receive directed2 = post(TagSelector.exact(TAG).from(PEER));

    assertThat(table.matchArrival(TAG, PEER)).isSameAs(any1);
    assertThat(table.matchArrival(TAG, PEER)).isSameAs(directed1);
    assertThat(table.matchArrival(TAG, OTHER_PEER)).isSameAs(any2);
    assertThat(table.matchArrival(TAG, OTHER_PEER)).isNull();
    assertThat(table.matchArrival(TAG, PEER)).isSameAs(directed2);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100})
  void shouldPreferTheEarlierReceiveWhenTheLaterIsMoreSpecific(int others) {
    postOthers(others);
    Receive masked = post(TagSelector.masked(0, 0xff));
    Receive everything = post(TagSelector.any());
    Receive exact = post(TagSelector.exact(TAG).from(PEER));

    assertThat(table.matchArrival(TAG, PEER)).isSameAs(masked);
    assertThat(table.matchArrival(TAG, PEER)).isSameAs(everything);
    assertThat(table.matchArrival(TAG, PEER)).isSameAs(exact);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100})
  void shouldKeepSendOrderWhenWildcardAndDirectedReceivesTakeTurns(int others) {
    for (int i = 0; i < others; i++) {
      table.addUnexpected(Message.of(1000 + i, PEER));
    }
    Message first = arrive(TAG, PEER);
    Message second = arrive(TAG, OTHER_PEER);
    Message third = arrive(TAG, PEER);
    Message fourth = arrive(TAG, OTHER_PEER);

    assertThat(table.matchPost(TAG, 0, OTHER_PEER)).isSameAs(second);
    assertThat(table.matchPost(TAG, 0, ANY)).isSameAs(first);
    assertThat(table.matchPost(TAG + 1, 1, ANY)).isNull();
    assertThat(table.matchPost(TAG ^ 1, 1, ANY)).isSameAs(third);
    assertThat(table.matchPost(TAG, 0, PEER)).isNull();
    assertThat(table.matchPost(TAG, 0, ANY)).isSameAs(fourth);
  }

  @Test
  void shouldLeaveTheMessageWhenPeeked() {
    Message message = arrive(TAG, PEER);

    assertThat(table.peek(TAG, 0, PEER)).isSameAs(message);
    assertThat(table.peek(TAG, 0, OTHER_PEER)).isNull();
    assertThat(message.isQueued()).isTrue();
    assertThat(table.matchPost(TAG, 0, ANY)).isSameAs(message);
    assertThat(message.isQueued()).isFalse();
  }

  @Test
  void shouldKeepItsPlaceWhenAReceiveIsPeeked() {
    Receive standing = post(TagSelector.exact(TAG));
    post(TagSelector.exact(TAG));

    assertThat(table.peekArrival(TAG, PEER)).isSameAs(standing);
    assertThat(table.peekArrival(TAG, PEER)).isSameAs(standing);
    assertThat(table.postedCount()).isEqualTo(2);
  }

  @Test
  void shouldTakeAMessageWithoutPeerIndexOnlyByAnySource() {
    Receive directed = post(TagSelector.exact(TAG).from(PEER));
    Receive any = post(TagSelector.exact(TAG));

    assertThat(table.matchArrival(TAG, ANY)).isSameAs(any);
    assertThat(table.matchArrival(TAG, ANY)).isNull();
    assertThat(directed.isPosted()).isTrue();
  }

  @Test
  void shouldCancelOnceWhenPosted() {
    Receive receive = post(TagSelector.exact(TAG));

    assertThat(table.remove(receive)).isTrue();
    assertThat(table.remove(receive)).isFalse();
    assertThat(table.matchArrival(TAG, PEER)).isNull();
  }

  @Test
  void shouldRefuseToRemoveWhatAnotherTableHolds() {
    MatchTable<Receive, Message> other = new MatchTable<>();
    Receive receive = post(TagSelector.exact(TAG));
    Message message = arrive(TAG + 1, PEER);

    assertThat(other.remove(receive)).isFalse();
    assertThat(other.remove(message)).isFalse();
    assertThat(receive.isPosted()).isTrue();
    assertThat(message.isQueued()).isTrue();
  }

  @Test
  void shouldRefuseToQueueTwice() {
    Receive receive = post(TagSelector.exact(TAG));
    Message message = arrive(TAG + 1, PEER);

    assertThatThrownBy(() -> table.addPosted(receive))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("posted=true, a receive waits in one place at a time");
    assertThatThrownBy(() -> table.addUnexpected(message))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("queued=true, a message waits in one place at a time");
    assertThatThrownBy(() -> receive.wants(1, 0, PEER))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("posted=true, remove the receive before changing it");
    assertThatThrownBy(() -> message.sent(1, PEER))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("queued=true, remove the message before changing it");
  }

  @Test
  void shouldRefuseSourcesAndLimitsBelowTheirRange() {
    assertThatThrownBy(() -> new Receive().wants(TAG, 0, -2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("source=-2 < 0");
    assertThatThrownBy(() -> Message.of(TAG, -2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("source=-2 < 0");
    assertThatThrownBy(() -> new MatchTable<>(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxUnexpectedClasses=0 < 1, pass at least 1");
  }

  @Test
  void shouldVisitInOrderWhileTheVisitorRemovesAndAdds() {
    for (int i = 0; i < 40; i++) {
      post(i % 2 == 0 ? TagSelector.exact(i) : TagSelector.masked(i, 0xf00).from(PEER));
    }
    List<Long> visited = new ArrayList<>();

    table.forEachPosted(
        receive -> {
          visited.add(receive.tag());
          table.remove(receive);
          table.addPosted(receive);
        });

    assertThat(visited).hasSize(40).isSorted();
    assertThat(table.postedCount()).isEqualTo(40);
  }

  @Test
  void shouldNotVisitWhatTheVisitorPostsAgain() {
    Receive first = post(TagSelector.exact(1));
    Receive second = post(TagSelector.exact(2));
    List<Receive> visited = new ArrayList<>();

    table.forEachPosted(
        receive -> {
          visited.add(receive);
          table.remove(second);
          table.addPosted(second);
        });

    assertThat(visited).containsExactly(first);
    assertThat(second.isPosted()).isTrue();
  }

  @Test
  void shouldCountSlowScansWhenMoreClassesSearchThanAreKept() {
    swell(100);

    table.peek(1000, 0, PEER);
    table.peek(1000, 0, ANY);
    assertThat(table.unexpectedClasses()).isEqualTo(2);
    assertThat(table.slowScans()).isZero();

    assertThat(table.peek(1001, 1, ANY).tag()).isEqualTo(1000);
    assertThat(table.unexpectedClasses()).isEqualTo(2);
    assertThat(table.slowScans()).isEqualTo(1);
  }

  @Test
  void shouldReplaceAClassWhenItIdledLong() {
    swell(100);
    table.peek(1000, 0, PEER);
    table.peek(1000, 0, ANY);

    for (int i = 0; i < 2000; i++) {
      table.peek(1000, 0, ANY);
    }
    Message masked = table.peek(1001, 1, ANY);
    table.peek(1001, 1, ANY);

    assertThat(masked.tag()).isEqualTo(1000);
    assertThat(table.slowScans()).isZero();
    assertThat(table.matchPost(1000, 0, ANY)).isSameAs(masked);
    assertThat(table.peek(1001, 1, ANY).tag()).isEqualTo(1001);
  }

  @Test
  void shouldDropAClassOfMessagesWhenNothingAskedForItForLong() {
    for (int i = 0; i < 100; i++) {
      swell(100);
      table.peek(1000, 0, ANY);
      table.peek(1000, 0, PEER);
      drain();
    }
    assertThat(table.unexpectedClasses()).isEqualTo(2);

    for (int i = 0; i < 100; i++) {
      swell(100);
      assertThat(table.matchPost(1050, 0, PEER).tag()).isEqualTo(1050);
      drain();
    }
    assertThat(table.unexpectedClasses()).isEqualTo(1);
  }

  @Test
  void shouldDropAClassOfReceivesWhenItsLastIsTaken() {
    postOthers(100);
    Receive masked = post(TagSelector.masked(TAG, 1));
    assertThat(table.postedClasses()).isEqualTo(2);

    table.remove(masked);

    assertThat(table.postedClasses()).isEqualTo(1);
  }

  private Receive post(TagSelector selector) {
    Receive receive = Receive.of(selector);
    table.addPosted(receive);
    return receive;
  }

  private void postOthers(int count) {
    for (int i = 0; i < count; i++) {
      post(TagSelector.exact(1000 + i).from(PEER));
    }
  }

  private Message arrive(long tag, int source) {
    Message message = Message.of(tag, source);
    table.addUnexpected(message);
    return message;
  }

  private void swell(int count) {
    for (int i = 0; i < count; i++) {
      arrive(1000 + i, PEER);
    }
  }

  private void drain() {
    table.forEachUnexpected(table::remove);
  }
}
