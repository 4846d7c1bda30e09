package io.tagfabric.trials.fabtests;

import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.fabric.Domain;
import io.tagfabric.link.Posted;
import io.tagfabric.receive.EndpointBindings;
import io.tagfabric.receive.ReceiveBindings;
import io.tagfabric.receive.ReceiveContext;
import io.tagfabric.tag.TagSelector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** Endpoints that share receives, or the room for sends. */
final class SharedScenarios {
  private static final int ENDPOINTS = 4;
  private static final int POOL = 6;
  private static final int ROUNDS = 25;
  private static final int[] LENGTHS = {0, 8, 500, 20_000, 200_000};
  private static final int MOST = 200_000;
  private static final int LIMIT = 4;

  private SharedScenarios() {}

  static List<Scenario> all() {
    return List.of(
        new Scenario(
            "shared-ctx",
            "shared",
            "shared_ctx",
            "four endpoints that take messages with one pool of receives",
            SharedScenarios::receives),
        new Scenario(
            "shared-ctx-send",
            "shared",
            "shared_ctx",
            "four endpoints whose sends share one limit",
            SharedScenarios::sends));
  }

  private static List<Link> open(Side side, EndpointBindings bindings) {
    List<Link> links = new ArrayList<>();
    for (int i = 0; i < ENDPOINTS; i++) {
      String name = "fabtests-shared-" + side.index() + "-" + i;
      links.add(side.connect(side.domain().openEndpoint(name, bindings)));
    }
    return links;
  }

  private static void receives(Side side) {
    Domain domain = side.domain();
    ReceiveContext pool =
        domain.openReceiveContext(
            "fabtests-pool-" + side.index(),
            ReceiveBindings.to(domain.openCompletionQueue(2 * POOL)),
            domain.endpointDefaults());
    List<Link> links = open(side, EndpointBindings.to(domain.openCompletionQueue(2 * POOL), pool));
    int total = ROUNDS * ENDPOINTS;
    if (side.isFirst()) {
      for (int i = 0; i < total; i++) {
        Link link = links.get(i % ENDPOINTS);
        link.send(Side.bytes(i, LENGTHS[i % LENGTHS.length]), i);
      }
    } else {
      take(side, pool, links, total);
    }
    side.sync();
    links.forEach(side::close);
    side.join(pool.close());
  }

  /** Keeps a few receives of any message posted, and looks where each came from. */
  private static void take(Side side, ReceiveContext pool, List<Link> links, int total) {
    Link any = links.get(0);
    List<Slot> posted = new ArrayList<>();
    boolean[] came = new boolean[total];
    for (int i = 0; i < total; i++) {
      while (posted.size() < Math.min(POOL, total - i)) {
        posted.add(post(side, pool, any));
      }
      Slot slot = any.await(posted.remove(0));
      int number = (int) slot.received().tag();
      Wrong.unless(!came[number], () -> "message " + number + " came twice");
      came[number] = true;
      int from = links.get(number % ENDPOINTS).peer();
      Wrong.unless(
          slot.received().source() == from,
          () -> "message " + number + " of peer " + from + " came with " + slot.received());
      slot.require(Side.bytes(number, LENGTHS[number % LENGTHS.length]));
    }
  }

  private static Slot post(Side side, ReceiveContext pool, Link link) {
    byte[] bytes = new byte[MOST];
    Arrays.fill(bytes, Link.FILL);
    Slot slot = new Slot(bytes, true);
    while (pool.postReceive(slot.buffer, 0, bytes.length, 0, -1L, TagSelector.ANY_SOURCE, slot)
        == Posted.TRY_AGAIN) {
      side.requireTime("room for a receive");
      link.pump();
    }
    return slot;
  }

  private static void sends(Side side) {
    Domain domain = side.domain();
    CompletionQueue sends = domain.openCompletionQueue(LIMIT);
    List<Link> links = open(side, EndpointBindings.to(sends, domain.openCompletionQueue(64)));
    if (side.isFirst()) {
      UnsafeBuffer buffer = new UnsafeBuffer(Side.bytes(1, 100));
      List<Slot> slots = new ArrayList<>();
      for (int i = 0; i < LIMIT; i++) {
        slots.add(links.get(i).postSend(Side.bytes(i, 100), i));
      }
      Link last = links.get(0);
      Posted beyond = last.endpoint().sendTagged(last.peer(), buffer, 0, 100, 99, "beyond");
      Wrong.unless(
          beyond == Posted.TRY_AGAIN, () -> "a send beyond the shared limit answers " + beyond);
      for (Slot slot : slots) {
        last.await(slot).sent();
      }
      last.send(Side.bytes(LIMIT, 100), LIMIT);
    } else {
      for (int i = 0; i <= LIMIT; i++) {
        links.get(i % LIMIT).expect(Side.bytes(i, 100), i);
      }
    }
  }
}
