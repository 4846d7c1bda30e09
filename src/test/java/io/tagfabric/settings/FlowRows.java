package io.tagfabric.settings;

import static io.tagfabric.settings.Pair.seen;
import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.testkit.LeakPolicy;
import io.tagfabric.testkit.TestFabric;
import io.tagfabric.testkit.TestTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Keys of flows, and of faults on purpose. */
final class FlowRows {
  private static final int KIB = 1024;

  /** So that little credit is enough. */
  private static final String SHORT_ONLY =
      "tagfabric.flow { eager-limit = 1 KiB, multi-eager-limit = 1 KiB }";

  private FlowRows() {}

  static List<Row> rows() {
    return List.of(
        Row.behaviour("flow.eager-limit", "4 KiB", seen(FlowRows::eagerOf8KiB)),
        Row.behaviour("flow.multi-eager-limit", "24 KiB", seen(FlowRows::unaskedOf40KiB)),
        Row.behaviour("flow.rendezvous-window", "32 KiB", seen(FlowRows::answersTo1MiB)),
        Row.value(
            "flow.rendezvous-windows", "1", seen(p -> p.a().settings().flow().sizes().windows())),
        Row.value(
                "flow.eager-credit", "8 KiB", seen(p -> p.a().settings().flow().eagerCreditBytes()))
            .with(SHORT_ONLY),
        Row.behaviour("flow.unexpected-budget", "0 B", seen(FlowRows::asksFor20))
            .with(SHORT_ONLY + "\ntagfabric.flow.eager-credit = 8 KiB"),
        Row.behaviour("flow.message-credits", "2", seen(p -> stallsOf(p, 20, 8))),
        Row.behaviour("flow.window-packets", "2", seen(p -> stallsOf(p, 8, 60 * KIB)))
            .with("tagfabric.flow.acknowledge-every = 1"),
        Row.behaviour("flow.window-bytes", "64 KiB", seen(p -> stallsOf(p, 8, 60 * KIB)))
            .with("tagfabric.flow.acknowledge-every = 1"),
        Row.behaviour("flow.window-packets-total", "2", seen(p -> stallsOf(p, 8, 60 * KIB)))
            .with("tagfabric.flow.acknowledge-every = 1"),
        Row.value(
            "flow.acknowledge-every", "1", seen(p -> p.a().settings().flow().acknowledgeEvery())),
        Row.behaviour("flow.ping", "1 s", seen(p -> pingsWithin(p, Duration.ofMillis(50))))
            .with("tagfabric.flow.max-ping = 2 s"),
        Row.behaviour("flow.max-ping", "10 s", seen(p -> pingsWithin(p, Duration.ofSeconds(20)))),
        Row.behaviour("flow.max-pings", "2", FlowRows::asksAtOnce),
        Row.value(
            "flow.max-congested-pings",
            "2",
            seen(p -> p.a().settings().flow().pace().maxCongestedPings())),
        Row.value("flow.replay-packets", "1", seen(p -> p.a().settings().flow().replayPackets())),
        Row.behaviour("flow.peer-timeout", "1 s", seen(p -> afterTwoSecondsOfSilence(p, true)))
            .with("tagfabric.flow.max-ping = 100 ms"),
        Row.behaviour("flow.connect-timeout", "1 s", seen(p -> afterTwoSecondsOfSilence(p, false))),
        Row.behaviour("flow.connect-retry-min", "5 ms", seen(p -> connectsWithin(p, 10, 20))),
        Row.behaviour("flow.connect-retry-max", "60 ms", seen(p -> connectsWithin(p, 60, 120))),
        fault("drop", "50%", FlowRows::arrivals),
        fault(
            "duplicate",
            "50%",
            p -> {
              arrivals(p);
              return p.answered().packetsDuplicate();
            }),
        fault("delay", "50%", FlowRows::arrivals),
        fault("reorder", "50%", FlowRows::arrivals),
        fault("delay-time", "10 s", FlowRows::arrivedWithinASecond)
            .with("tagfabric.faults.delay = 100%"),
        fault("seed", "2", FlowRows::arrivals).with("tagfabric.faults.drop = 50%"));
  }

  private static Row fault(String key, String value, Function<Pair, Object> look) {
    return Row.behaviour("faults." + key, value, seen(look));
  }

  private static Object eagerOf8KiB(Pair pair) {
    pair.send(8 * KIB);
    return pair.sent().eagerMessagesSent();
  }

  private static Object unaskedOf40KiB(Pair pair) {
    pair.send(40 * KIB);
    return pair.sent().multiPacketMessagesSent();
  }

  private static Object answersTo1MiB(Pair pair) {
    pair.b().futures().receiveTagged(TagSelector.exact(7));
    pair.send(KIB * KIB);
    return pair.answered().packetsSent();
  }

  /** Without credit for their bytes messages ask first. */
  private static Object asksFor20(Pair pair) {
    pair.send(8); // sets the flow up
    for (int i = 0; i < 20; i++) {
      pair.post(KIB);
    }
    pair.settle();
    return pair.sent().requestsSent();
  }

  private static Object stallsOf(Pair pair, int messages, int lengthBytes) {
    pair.send(8); // sets the flow up
    long before = pair.sent().creditStalls();
    for (int i = 0; i < messages; i++) {
      pair.post(lengthBytes);
    }
    pair.settle();
    return pair.sent().creditStalls() > before;
  }

  private static Object pingsWithin(Pair pair, Duration time) {
    pair.send(8);
    pair.pass(Duration.ofSeconds(5));
    long before = pair.sent().pingsSent();
    pair.fabric().network().partition("a", "b");
    pair.post(8);
    pair.pass(time);
    return pair.sent().pingsSent() - before;
  }

  /** How many of four silent peers are asked at one moment. */
  private static Object asksAtOnce(String settings) {
    List<String> peers = List.of("b", "c", "d", "e");
    try (TestFabric fabric =
        TestFabric.builder()
            .endpoints("a", "b", "c", "d", "e")
            .settings(settings)
            .progress(ProgressMode.MANUAL)
            .time(TestTime.VIRTUAL)
            .leaks(LeakPolicy.IGNORE)
            .build()) {
      sendToEach(fabric, peers);
      fabric.advance(Duration.ofSeconds(5));
      peers.forEach(peer -> fabric.network().partition("a", peer));
      sendToEach(fabric, peers);
      long most = 0;
      for (int i = 0; i < 100; i++) {
        long before = asks(fabric, peers);
        fabric.advance(Duration.ofNanos(250_000));
        most = Math.max(most, asks(fabric, peers) - before);
      }
      return most;
    }
  }

  private static void sendToEach(TestFabric fabric, List<String> peers) {
    for (String peer : peers) {
      var sent = fabric.endpoint("a").futures().sendTagged(fabric.peer(peer), new byte[8], 7);
      assertThat(sent).isNotNull();
    }
  }

  private static long asks(TestFabric fabric, List<String> peers) {
    Endpoint a = fabric.endpoint("a");
    return peers.stream()
        .mapToLong(peer -> fabric.await(a.flowCounters(fabric.peer(peer))).pingsSent())
        .sum();
  }

  private static Object afterTwoSecondsOfSilence(Pair pair, boolean known) {
    if (known) {
      pair.send(8);
    }
    pair.fabric().network().partition("a", "b");
    CompletableFuture<?> sent = pair.begin(8);
    pair.pass(Duration.ofSeconds(2));
    return Pair.ending(sent);
  }

  /** Whether a peer that can be reached after a while has a message some time later. */
  private static Object connectsWithin(Pair pair, int cutMs, int untilMs) {
    pair.fabric().network().partition("a", "b");
    pair.post(8);
    pair.pass(Duration.ofMillis(cutMs));
    pair.fabric().network().heal();
    pair.pass(Duration.ofMillis(untilMs - cutMs));
    return pair.arrived();
  }

  /** Which of 40 messages arrives in no time. */
  private static Object arrivals(Pair pair) {
    pair.send(8);
    pair.pass(Duration.ofSeconds(5));
    StringBuilder seen = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      int before = pair.arrived();
      pair.send(8);
      seen.append(pair.arrived() > before ? '+' : '-');
      pair.pass(Duration.ofSeconds(2));
    }
    return seen.toString();
  }

  private static Object arrivedWithinASecond(Pair pair) {
    pair.post(8);
    pair.pass(Duration.ofSeconds(1));
    return pair.arrived();
  }
}
