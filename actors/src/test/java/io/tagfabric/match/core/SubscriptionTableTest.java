package io.tagfabric.match.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.wire.MessageViews;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class SubscriptionTableTest {
  private final SubscriptionTable table = new SubscriptionTable();
  private final List<String> delivered = new ArrayList<>();

  private Subscription subscription(String name, TagSelector selector) {
    return new Subscription(selector, name, 100, message -> delivered.add(name));
  }

  private long stepsOfArrivals(int subscriptions) {
    SubscriptionTable many = new SubscriptionTable();
    for (int tag = 0; tag < subscriptions; tag++) {
      many.add(subscription("exact", TagSelector.exact(tag)));
    }
    long before = many.steps();
    for (int arrival = 0; arrival < 1000; arrival++) {
      assertThat(many.matchArrival(subscriptions - 1, 3).tag()).isEqualTo(subscriptions - 1);
      assertThat(many.matchArrival(-1, 3)).isNull();
    }
    return many.steps() - before;
  }

  @Test
  void shouldFindOneOfManyAtTheCostOfAFew() {
    assertThat(stepsOfArrivals(10_000)).isLessThanOrEqualTo(2 * stepsOfArrivals(100) + 2000);
  }

  @Test
  void shouldTakeTheEarliestThatFits() {
    for (int tag = 0; tag < 100; tag++) {
      table.add(subscription("other", TagSelector.exact(1000 + tag)));
    }
    table.add(subscription("wide", TagSelector.masked(0, 0xff)));
    table.add(subscription("exact", TagSelector.exact(7)));

    assertThat(table.matchArrival(7, 1).tag()).isZero();
    table.remove("wide");
    assertThat(table.matchArrival(7, 1).tag()).isEqualTo(7);
    table.remove("other");
    assertThat(table.size()).isEqualTo(1);
    assertThat(table.matchArrival(1000, 1)).isNull();
    table.clear();
    assertThat(table.size()).isZero();
  }

  @Test
  void shouldDropOnlyWhatNobodyWantsAndNoReceiveTakes() {
    ScriptedOrigin origin = new ScriptedOrigin(2);
    List<CompletionEntry> entries = new ArrayList<>();
    ReceiveCore receives =
        new ReceiveCore(
            2,
            () -> {
              CompletionEntry entry = new CompletionEntry();
              entries.add(entry);
              return entry;
            });
    for (long tag = 1; tag <= 4; tag++) {
      receives.whole(origin, MessageViews.of(tag, null, new byte[10]));
    }
    assertThat(receives.state().unexpectedBytes()).isEqualTo(40);

    receives.discard(tag -> tag % 2 == 0);

    assertThat(receives.state().unexpectedMessages()).isEqualTo(2);
    assertThat(origin.consumedBytes).as("credit of what was dropped").isEqualTo(20);
    receives.whole(origin, MessageViews.of(6, null, new byte[10]));
    assertThat(receives.state().unexpectedMessages()).isEqualTo(2);
    receives.post(
        PostedReceive.into(
            TaggedReceive.of(TagSelector.exact(8)).into(new UnsafeBuffer(new byte[10]), 0, 10),
            "eight",
            null));
    receives.whole(origin, MessageViews.of(8, null, new byte[10]));
    assertThat(entries).hasSize(1);
    receives.subscribe(subscription("ten", TagSelector.exact(10)));
    receives.whole(origin, MessageViews.of(10, null, new byte[10]));
    assertThat(delivered).containsExactly("ten");
  }
}
