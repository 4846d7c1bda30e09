package io.tagfabric.bench.ours;

import io.tagfabric.endpoint.Endpoint;

/**
 * Sends numbered messages to one peer, as many as its window allows, until that says stop. Thread:
 * one.
 */
final class StreamSource {
  private static final int ACKNOWLEDGEMENTS = 4;

  private final Words words;
  private final int peer;
  private final int window;
  private long acknowledged;
  private boolean stopped;

  StreamSource(Endpoint endpoint, Arrivals arrivals, int peer, int window) {
    this.peer = peer;
    this.window = window;
    words =
        new Words(
            endpoint, arrivals, StreamSink.ACKNOWLEDGE, StreamSink.MESSAGE, this::onAcknowledged);
  }

  private void onAcknowledged(int from, long word) {
    if (word == StreamSink.STOP) {
      stopped = true;
    } else {
      acknowledged = word;
    }
  }

  void run() {
    acknowledged = 0;
    stopped = false;
    words.makeRoom(ACKNOWLEDGEMENTS);
    long sent = 0;
    while (!stopped) {
      while (sent - acknowledged < window) {
        words.send(peer, sent++);
      }
      words.read();
    }
    words.send(peer, StreamSink.STOP);
  }
}
