package io.tagfabric.link;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.TestInbox;
import io.tagfabric.address.Protocols;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.flow.FlowState;
import io.tagfabric.link.send.SendListener;
import io.tagfabric.link.send.SendOperation;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.wire.FlowKey;
import io.tagfabric.wire.MessageViews;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Endpoints whose job has several keys, in other orders. */
class RotatedKeysTest extends CoreSides {
  private static final UUID OLD = new UUID(1, 1);
  private static final UUID NEW = new UUID(2, 2);
  private static final UUID NEWER = new UUID(3, 3);

  /** All lists of up to three keys, in each order. */
  private static List<List<UUID>> lists() {
    List<List<UUID>> lists = new ArrayList<>();
    List<List<UUID>> longer = List.of(List.of());
    for (int length = 1; length <= 3; length++) {
      List<List<UUID>> next = new ArrayList<>();
      for (List<UUID> list : longer) {
        for (UUID key : List.of(OLD, NEW, NEWER)) {
          if (!list.contains(key)) {
            List<UUID> one = new ArrayList<>(list);
            one.add(key);
            next.add(one);
          }
        }
      }
      lists.addAll(next);
      longer = next;
    }
    return lists;
  }

  private Side side(String name, List<UUID> keys) {
    return new Side(name, keys, 1, Protocols.OWN);
  }

  private void exchange(Side from, Side to) {
    int before = to.received.size();
    to.receives.post(
        PostedReceive.into(
            TaggedReceive.of(TagSelector.any()).into(new UnsafeBuffer(new byte[100]), 0, 100),
            null,
            null));
    TestInbox<Completion> told = TestInbox.create();
    SendOperation send =
        new SendOperation(
            from.addresses.snapshot().indexOf(to.address),
            CompletionLevel.DELIVERY,
            null,
            SendListener.telling(told.getRef()));
    send.show(5, new UnsafeBuffer(new byte[10]), 0, 10);
    from.core.send(send);
    from.deliver();
    assertThat(to.received).hasSize(before + 1);
    sleep(200); // until the acknowledgement is due
    to.deliver();
    assertThat(told.receiveMessage()).isInstanceOf(Completion.Sent.class);
  }

  @Test
  void shouldConnectExactlyIfTheOtherHasTheFirstKey() {
    List<List<UUID>> lists = lists();
    assertThat(lists).hasSize(15);
    for (List<UUID> keys : lists) {
      for (List<UUID> others : lists) {
        outcomes.clear();
        Side one = side("one", keys);
        Side other = side("other", others);
        connect(one, one.insert(other));
        one.deliver();
        other.deliver();

        String pair = keys + " and " + others;
        if (others.contains(keys.get(0))) {
          assertThat(outcomes).as(pair).containsExactly("open");
          exchange(one, other);
          exchange(other, one);
          assertThat(one.core.strangers() + other.core.strangers()).as(pair).isZero();
        } else {
          assertThat(outcomes).as(pair).isEmpty();
          assertThat(other.core.flows()).as(pair).isEmpty();
          assertThat(other.core.strangers()).as(pair).isEqualTo(1);
        }
      }
    }
  }

  @Test
  void shouldConnectWhenBothAskAtOnceByOtherKeys() {
    Side one = side("one", List.of(OLD, NEW));
    Side other = side("other", List.of(NEW, OLD));
    connect(one, one.insert(other));
    connect(other, other.insert(one));
    one.core.flush();
    other.deliver();
    one.deliver();
    other.deliver();
    one.deliver();

    assertThat(outcomes).containsExactly("open", "open");
    for (Side side : List.of(one, other)) {
      assertThat(side.core.flows()).singleElement().matches(flow -> flow.state() == FlowState.OPEN);
    }
    exchange(one, other);
    exchange(other, one);
    assertThat(one.core.strangers() + other.core.strangers()).isZero();
  }

  @Test
  void shouldTakeShortMessagesByAnyOfItsKeys() {
    Side one = side("one", List.of(OLD, NEW));
    Side other = side("other", List.of(NEW, OLD));
    connect(one, one.insert(other));
    one.deliver();
    other.deliver();
    int taken = 0;
    for (UUID key : List.of(NEW, OLD, NEW, NEW)) {
      inject(other, one, key);
      assertThat(other.receives.state().unexpectedMessages()).isEqualTo(++taken);
    }
    inject(other, one, NEWER);
    assertThat(other.receives.state().unexpectedMessages()).isEqualTo(taken);
    assertThat(other.core.strangers()).isEqualTo(1);
  }

  private static void inject(Side to, Side from, UUID key) {
    int isolation =
        new EndpointIdentity(from.address, List.of(key), 1, 9, "", theirs -> List.of())
            .isolation(0);
    int number = to.core.flows().get(0).id();
    to.desk.onInjected(
        FlowKey.of(number, isolation, from.address.incarnation()),
        MessageViews.of(7, new UnsafeBuffer(new byte[8]), 0, 8));
  }

  @Test
  void shouldRefuseByTheKeyOfTheQuestion() {
    Side one = side("one", List.of(OLD));
    Side other = new Side("other", List.of(NEW, OLD), 2, Protocols.OWN);
    connect(one, one.insert(other));
    one.deliver();
    other.deliver();

    assertThat(outcomes).singleElement().asString().contains("KEY_REJECTED", "partition.key");
    assertThat(state(one)).isEqualTo(FlowState.LOST);
  }
}
