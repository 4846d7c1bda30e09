package io.tagfabric.trials.fabtests;

import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.Domain;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.receive.EndpointBindings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Endpoints that send datagrams. A provider may lose one, so the sender repeats it until it hears
 * that it may go on.
 */
final class DatagramScenarios {
  private static final int QUEUE = 64;
  private static final int LAPS = 200;
  private static final int BYTES = 32;
  private static final int TOO_LONG = 1 << 20;
  private static final Duration LOOK = Duration.ofMillis(1);
  private static final long REPEAT_NS = TimeUnit.MILLISECONDS.toNanos(20);

  private DatagramScenarios() {}

  static List<Scenario> all() {
    return List.of(
        new Scenario(
            "dgram",
            "dgram",
            "dgram",
            "a datagram that comes, one that nobody wants, one that is too long",
            DatagramScenarios::greet),
        new Scenario(
            "dgram-pingpong",
            "dgram",
            "dgram_pingpong",
            "datagrams to and fro, repeated when one is lost",
            DatagramScenarios::pingPong));
  }

  private static Link open(Side side) {
    Domain domain = side.domain();
    EndpointBindings bindings =
        EndpointBindings.to(domain.openCompletionQueue(QUEUE), domain.openCompletionQueue(QUEUE));
    return side.connect(
        domain.openEndpoint("fabtests-dgram-" + side.index(), bindings.sendingDatagrams()));
  }

  /**
   * Sends a message again and again.
   *
   * @param sure where messages are not lost
   * @param until ends when it may stop
   */
  private static void repeat(
      Side side, Link link, Link sure, byte[] message, long tag, Slot until) {
    long lastNs = System.nanoTime() - REPEAT_NS;
    while (until.done == null) {
      side.requireTime("an answer to a datagram");
      if (System.nanoTime() - lastNs >= REPEAT_NS) {
        lastNs = System.nanoTime();
        link.inject(message, tag);
      }
      if (link.pump() + sure.pump() == 0) {
        link.domain().await(() -> false, LOOK);
      }
    }
  }

  private static void greet(Side side) {
    Link link = open(side);
    Link sure = side.open();
    byte[] greeting = Side.bytes(1, BYTES);
    if (side.isFirst()) {
      Slot tooLong = link.await(link.postSend(new byte[TOO_LONG], 1));
      Wrong.unless(
          tooLong.failed().error() == FabricError.MESSAGE_SIZE,
          () -> "a datagram of " + TOO_LONG + " bytes ended with " + tooLong.done);
      repeat(side, link, sure, greeting, 1, sure.postReceive(1, 1));
      repeat(side, link, sure, greeting, 2, sure.postReceive(1, 2));
    } else {
      link.await(link.postReceive(BYTES, 1)).require(greeting);
      sure.send(new byte[1], 1);
      while (counters(side, link).datagramsDropped() == 0) {
        side.requireTime("a datagram that nobody wants");
        link.domain().await(() -> false, LOOK);
      }
      Wrong.unless(
          side.join(link.endpoint().futures().matcherState()).unexpectedMessages() == 0,
          () -> "a datagram waits that no receive was posted for");
      sure.send(new byte[1], 2);
    }
  }

  private static FlowCounters.Snapshot counters(Side side, Link link) {
    return side.join(link.endpoint().flowCounters(link.peer()));
  }

  private static void pingPong(Side side) {
    Link link = open(side);
    Link sure = side.open();
    if (side.isFirst()) {
      for (int lap = 0; lap < LAPS; lap++) {
        Slot pong = link.postReceive(BYTES, lap);
        repeat(side, link, sure, Side.bytes(lap, BYTES), lap, pong);
        pong.require(Side.bytes(LAPS + lap, BYTES));
      }
      sure.send(new byte[1], 1);
    } else {
      Slot ping = link.await(link.postReceive(BYTES, 0));
      Slot end = sure.postReceive(1, 1);
      for (int lap = 0; lap < LAPS; lap++) {
        ping.require(Side.bytes(lap, BYTES));
        Slot next = lap + 1 < LAPS ? link.postReceive(BYTES, lap + 1L) : end;
        repeat(side, link, sure, Side.bytes(LAPS + lap, BYTES), lap, next);
        ping = next;
      }
    }
  }
}
