package io.tagfabric.bench.ours;

import io.tagfabric.endpoint.Endpoint;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Int2IntHashMap;

/**
 * Receives numbered messages of many, acknowledges each half window, and counts those that come
 * while a run counts. A message that is missing, or comes before its time, ends the run. Thread:
 * one.
 */
final class StreamSink {
  static final long MESSAGE = 21;
  static final long ACKNOWLEDGE = 22;

  /** To a source: send no more. From it: nothing comes any more. */
  static final long STOP = -1;

  private final Words words;
  private final int window;
  private final Int2IntHashMap placeOf = new Int2IntHashMap(-1);
  private long[] received = {};
  private long[] acknowledged = {};
  private int ended;

  StreamSink(Endpoint endpoint, Arrivals arrivals, int window) {
    this.window = window;
    words = new Words(endpoint, arrivals, MESSAGE, ACKNOWLEDGE, this::onMessage);
  }

  private void onMessage(int peer, long number) {
    int place = placeOf.get(peer);
    if (number == STOP) {
      ended++;
    } else if (number == received[place]) {
      received[place]++;
    } else {
      throw new IllegalStateException(
          "message " + number + " of peer " + peer + " has come in place of " + received[place]);
    }
  }

  /**
   * Makes room before the sources begin.
   *
   * @param peers that send in the next run
   */
  void prepare(int[] peers) {
    placeOf.clear();
    for (int i = 0; i < peers.length; i++) {
      placeOf.put(peers[i], i);
    }
    received = new long[peers.length];
    acknowledged = new long[peers.length];
    ended = 0;
    words.makeRoom(peers.length * (window + 1)); // they say stop beyond their window
  }

  /** Receives until all have stopped. */
  StreamResult run(int[] peers, StreamOrder order) {
    while (System.nanoTime() - order.beginNs() < 0) {
      receive(peers);
    }
    long beginNs = System.nanoTime();
    long endNs = Math.max(order.endNs(), beginNs + (order.endNs() - order.beginNs()) / 2);
    long[] before = received.clone();
    while (System.nanoTime() - endNs < 0) {
      receive(peers);
    }
    long elapsedNs = System.nanoTime() - beginNs;
    List<Long> counted = new ArrayList<>();
    for (int i = 0; i < before.length; i++) {
      counted.add(received[i] - before[i]);
    }
    for (int peer : peers) {
      words.send(peer, STOP);
    }
    while (ended < peers.length) {
      words.read();
    }
    return new StreamResult(elapsedNs, counted);
  }

  private void receive(int[] peers) {
    words.read();
    for (int i = 0; i < peers.length; i++) {
      if (received[i] - acknowledged[i] >= window / 2) {
        acknowledged[i] = received[i];
        words.send(peers[i], received[i]);
      }
    }
  }
}
