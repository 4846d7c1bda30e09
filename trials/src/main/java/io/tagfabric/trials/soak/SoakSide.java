package io.tagfabric.trials.soak;

import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.match.TagMatcher;
import java.time.Duration;

/** One of the two: sends its messages and receives the other's. Thread: one. */
final class SoakSide {
  private final Endpoint endpoint;
  private final int peer;
  private final Sender sender;
  private final Receiver receiver;
  private final long expected;

  /**
   * @param index 0 or 1
   */
  SoakSide(Endpoint endpoint, int peer, int index, SoakOptions options) {
    this.endpoint = endpoint;
    this.peer = peer;
    boolean holdAll = options.unexpected > 0;
    MessageStream own = stream(index, options);
    MessageStream others = stream(1 - index, options);
    expected = others.count();
    sender = new Sender(endpoint, peer, own);
    receiver = new Receiver(endpoint, peer, others, options.seed + index, holdAll);
  }

  private static MessageStream stream(int index, SoakOptions options) {
    return new MessageStream(
        options.seed * 2 + index, options.messagesOf(index), options.unexpected > 0);
  }

  /** Sends, posts and reads a little; returns the work done. */
  int step() {
    return sender.step() + receiver.step();
  }

  /** Waits for a message, at most so long. */
  int waitBriefly(Duration timeout) {
    return receiver.waitBriefly(timeout);
  }

  boolean isDone() {
    return sender.isDone() && receiver.isDone();
  }

  /** Changes with everything that ends. */
  long progress() {
    return sender.completed() + receiver.ended();
  }

  /** Messages that it receives in all. */
  long expected() {
    return expected;
  }

  long received() {
    return receiver.ended();
  }

  long wrong() {
    return receiver.wrong();
  }

  /** What has come of it; the domain is driven meanwhile. */
  Tally tally() {
    TagMatcher.State state = endpoint.futures().matcherState().toCompletableFuture().join();
    long replayed =
        endpoint.futures().flows().toCompletableFuture().join().flows().stream()
            .filter(flow -> flow.peer() == peer)
            .mapToLong(flow -> flow.counters().packetsReplayed())
            .sum();
    return receiver.tally(
        sender.completed(), state.unexpectedMessages(), state.peakUnexpectedBytes(), replayed);
  }
}
