package io.tagfabric.testkit;

import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.match.MessageInfo;
import io.tagfabric.match.StreamEnd;
import io.tagfabric.match.TagMatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a test has left behind, a line each. */
final class Leaks {
  /** For packets that are on their way. */
  private static final Duration SETTLING = Duration.ofSeconds(2);

  private static final Duration STEP = Duration.ofMillis(10);

  private final TestFabric fabric;

  Leaks(TestFabric fabric) {
    this.fabric = fabric;
  }

  /** Looks before anything is closed. Sends that have not ended show when endpoints close. */
  List<String> find() {
    List<String> leaks = new ArrayList<>();
    settle();
    for (String name : fabric.names()) {
      if (!fabric.hasCrashed(name)) {
        TagMatcher.Waiting waiting = fabric.await(fabric.endpoint(name).futures().waiting());
        waiting.messages().stream()
            .filter(each -> StreamEnd.of(each.hasData(), each.data()) == null)
            .forEach(each -> leaks.add(message(name, each)));
        waiting.receives().forEach(each -> leaks.add(receive(name, each)));
      }
      for (String to : fabric.names()) {
        int packets = fabric.network().heldPackets(name, to);
        if (packets > 0) {
          leaks.add("packets from " + name + " to " + to + " that are still held: " + packets);
        }
      }
    }
    List<Endpoint> own = fabric.names().stream().map(fabric::endpoint).toList();
    for (Domain domain : fabric.fabric().domains()) {
      if (domain != fabric.domain()) {
        leaks.add("domain [" + domain.name() + "], which is open");
      }
      domain.endpoints().stream()
          .filter(each -> !own.contains(each))
          .forEach(each -> leaks.add("endpoint [" + each.address().name() + "], which is open"));
    }
    return leaks;
  }

  /** What did not end before its endpoint was closed. Receives have been found before. */
  static List<String> ofClosed(String name, Endpoint.Closed report) {
    return report.undeliveredSends() == 0
        ? List.of()
        : List.of("sends of " + name + " that had not ended: " + report.undeliveredSends());
  }

  private String message(String name, MessageInfo message) {
    return "message at " + name + " that nobody received: " + Waiting.text(message, fabric::nameOf);
  }

  private static String receive(String name, TagMatcher.ReceiveInfo receive) {
    return "receive at " + name + " that has not ended: " + receive;
  }

  /** Waits until what was sent over open ways has arrived. */
  private void settle() {
    long steps = SETTLING.dividedBy(STEP);
    for (long i = 0; i < steps && isUnderWay(); i++) {
      fabric.idle(STEP);
    }
  }

  private boolean isUnderWay() {
    for (String name : fabric.names()) {
      if (fabric.hasCrashed(name)) {
        continue;
      }
      for (Endpoint.FlowInfo flow : fabric.await(fabric.endpoint(name).futures().flows()).flows()) {
        String to = flow.address().name();
        if (flow.underWay() && fabric.names().contains(to) && fabric.network().isOpen(name, to)) {
          return true;
        }
      }
    }
    return false;
  }
}
