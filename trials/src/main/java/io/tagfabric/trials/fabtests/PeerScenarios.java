package io.tagfabric.trials.fabtests;

import io.tagfabric.address.AddressVector;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.Domain;
import io.tagfabric.progress.ProgressMode;
import java.util.ArrayList;
import java.util.List;

/** Addresses, domains, and endpoints that come and go. */
final class PeerScenarios {
  private PeerScenarios() {}

  static List<Scenario> all() {
    return List.of(
        new Scenario("av", "av", "av_test", "insert, look up, remove", PeerScenarios::vector),
        new Scenario(
            "av-xfer",
            "av",
            "av_xfer",
            "a peer removed and inserted again",
            PeerScenarios::reinsert),
        new Scenario(
            "shared-av",
            "av",
            "rdm_shared_av",
            "two endpoints reach a peer by one index",
            PeerScenarios::sharedVector),
        new Scenario(
            "lifecycle",
            "cm",
            "6.4 of the checklist",
            "closing ends what is posted and refuses the rest",
            PeerScenarios::lifecycle),
        new Scenario(
            "peer-close",
            "cm",
            "rdm_stress",
            "what waits for a peer that closes ends with its name",
            PeerScenarios::peerClose),
        new Scenario(
            "multi-client",
            "cm",
            "rdm_multi_client",
            "clients come one after the other",
            PeerScenarios::clients),
        new Scenario(
            "dom", "domain", "dom_test", "many domains, opened and closed", PeerScenarios::domains),
        new Scenario(
            "multi-domain",
            "domain",
            "rdm_multi_domain",
            "messages in several domains at once",
            PeerScenarios::multiDomain),
        new Scenario(
            "multi-ep",
            "domain",
            "multi_ep",
            "three endpoints, with queues of their own and with one",
            PeerScenarios::multiEndpoint),
        new Scenario(
            "progress",
            "domain",
            "ubertest",
            "MANUAL and AUTO progress on the two sides",
            PeerScenarios::progress));
  }

  private static void vector(Side side) {
    Link link = side.open();
    AddressVector vector = link.domain().addressVector();
    var theirs = vector.lookup(link.peer());
    Wrong.unless(vector.insert(theirs) == link.peer(), "the same peer has got another index");
    int own = vector.insert(link.endpoint().address());
    Wrong.unless(own != link.peer(), "two peers have got one index");
    for (int none : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 20}) {
      Wrong.unless(vector.lookup(none) == null, () -> "something is at index " + none);
      Wrong.unless(!vector.remove(none), () -> "something was removed at index " + none);
    }
    Wrong.unless(vector.remove(own) && !vector.remove(own), "removing twice");
    Wrong.unless(vector.lookup(own) == null, "a removed peer is found");
    Slot lost = link.await(link.postSendTo(1 << 20, new byte[4], 1, CompletionLevel.INJECT));
    Wrong.unless(
        lost.failed().error() == FabricError.ADDRESS_NOT_AVAILABLE,
        () -> "ended with " + lost.done);
    TaggedScenarios.greetOn(side, link);
  }

  private static void reinsert(Side side) {
    Link link = side.open();
    TaggedScenarios.greetOn(side, link);
    side.sync();
    AddressVector vector = link.domain().addressVector();
    var theirs = vector.lookup(link.peer());
    for (int times = 0; times < 3; times++) {
      Wrong.unless(vector.remove(link.peer()), "the peer was not there");
      side.sync();
      int again = vector.insert(theirs);
      side.sync();
      Slot receive = link.postReceive(100, times);
      link.await(
              link.postSendTo(again, Side.bytes(side.index(), 100), times, CompletionLevel.INJECT))
          .sent();
      link.await(receive).require(Side.bytes(1L - side.index(), 100));
      side.sync();
      link = side.rename(link, again);
    }
  }

  private static void sharedVector(Side side) {
    Link first = side.open();
    Domain domain = first.domain();
    CompletionQueue queue = domain.openCompletionQueue(16);
    Link second = side.connect(side.openEndpoint(domain, queue, queue));
    if (side.isFirst()) {
      first
          .await(first.postSendTo(first.peer(), Side.bytes(1, 70), 1, CompletionLevel.INJECT))
          .sent();
      second
          .await(second.postSendTo(first.peer(), Side.bytes(2, 70), 2, CompletionLevel.INJECT))
          .sent();
    } else {
      first.expect(Side.bytes(1, 70), 1);
      first.expect(Side.bytes(2, 70), 2);
    }
  }

  private static void lifecycle(Side side) {
    Link link = side.open(8);
    TaggedScenarios.greetOn(side, link);
    side.sync();
    Domain other = side.openDomain("other", ProgressMode.MANUAL);
    TaggedScenarios.refused(
        () -> {
          CompletionQueue foreign = other.openCompletionQueue(4);
          side.openEndpoint(side.domain(), foreign, foreign);
        },
        FabricError.DOMAIN.toString());
    Slot pending = link.postReceive(10, 1);
    Endpoint.Closed report = side.close(link);
    Wrong.unless(report.cancelledReceives() == 1, () -> "closing reports " + report);
    Completion.Failed failed = link.await(pending).failed();
    Wrong.unless(failed.error() == FabricError.CANCELED, () -> "ended with " + failed);
    Wrong.unless(side.close(link).equals(report), "closing twice is no other closing");
    try {
      link.postReceive(10, 1);
    } catch (IllegalStateException refused) {
      return;
    }
    throw new Wrong("a closed endpoint takes a receive");
  }

  private static void peerClose(Side side) {
    Link link = side.open(16);
    TaggedScenarios.greetOn(side, link);
    side.sync();
    if (!side.isFirst()) {
      side.sync();
      side.close(link);
      side.sync();
      return;
    }
    List<Slot> waiting = new ArrayList<>();
    waiting.add(link.postReceive(10, 5, 0, link.peer()));
    waiting.add(link.postSend(Side.bytes(1, 500), 6, CompletionLevel.MATCH));
    waiting.add(link.postSend(Side.bytes(2, 2_000_000), 7, CompletionLevel.DELIVERY));
    side.sync();
    for (Slot slot : waiting) {
      Completion.Failed failed = link.await(slot).failed();
      Wrong.unless(
          failed.error() == FabricError.SHUTDOWN && failed.peer() == link.peer(),
          () -> "ended with " + failed);
    }
    side.sync();
    // others are not concerned
  }

  private static void clients(Side side) {
    Link first = side.open();
    for (int client = 0; client < 5; client++) {
      Link link = side.open();
      TaggedScenarios.greetOn(side, link);
      side.sync();
      if (client % 2 == 0 && !side.isFirst()) {
        // goes in the midst of a request
        link.postSend(Side.bytes(1, 1_000_000), 0x99, CompletionLevel.MATCH);
      }
      side.close(link);
      side.sync();
      TaggedScenarios.greetOn(side, first);
      side.sync();
    }
  }

  private static void domains(Side side) {
    List<Domain> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      all.add(side.openDomain("many" + i, ProgressMode.MANUAL));
    }
    Wrong.unless(all.stream().distinct().count() == 8, "domains are not distinct");
    all.forEach(each -> each.openCompletionQueue(1));
    try {
      side.openDomain("many0", ProgressMode.MANUAL);
    } catch (IllegalStateException taken) {
      return;
    }
    throw new Wrong("a name of a domain was given twice");
  }

  private static void multiDomain(Side side) {
    Link one = side.openIn(side.openDomain("one", ProgressMode.AUTO), 8);
    Link two = side.openIn(side.openDomain("two", ProgressMode.AUTO), 8);
    for (int i = 0; i < 20; i++) {
      if (side.isFirst()) {
        one.send(Side.bytes(i, 300), 1);
        two.send(Side.bytes(i + 100L, 300), 1);
      } else {
        two.expect(Side.bytes(i + 100L, 300), 1);
        one.expect(Side.bytes(i, 300), 1);
      }
    }
  }

  private static void multiEndpoint(Side side) {
    CompletionQueue shared = side.domain().openCompletionQueue(64);
    for (boolean together : new boolean[] {false, true}) {
      List<Link> links = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        links.add(
            together
                ? side.connect(side.openEndpoint(side.domain(), shared, shared))
                : side.open());
      }
      for (int i = 0; i < 3; i++) {
        Link link = links.get(i);
        Slot receive = link.postReceive(500, 1);
        link.await(link.postSend(Side.bytes(side.index() * 10L + i, 500), 1)).sent();
        link.await(receive).require(Side.bytes((1L - side.index()) * 10 + i, 500));
      }
      side.sync();
    }
  }

  private static void progress(Side side) {
    for (boolean swapped : new boolean[] {false, true}) {
      ProgressMode mode = side.isFirst() == swapped ? ProgressMode.AUTO : ProgressMode.MANUAL;
      Link link = side.openIn(side.openDomain("mode" + swapped, mode), 8);
      for (int length : new int[] {10, 5_000, 300_000}) {
        byte[] message = Side.bytes(length, length);
        if (side.isFirst()) {
          link.send(message, length);
          link.expect(message, length);
        } else {
          link.expect(message, length);
          link.send(message, length);
        }
      }
      // a MANUAL side has no loop that runs while it waits for the other elsewhere
      TaggedScenarios.greetOn(side, link);
    }
  }
}
