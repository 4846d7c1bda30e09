package io.tagfabric.bench.ours;

import akka.actor.typed.ActorRef;
import java.util.concurrent.CompletableFuture;

/** What actors of the two ranks tell each other when references are measured. */
sealed interface ActorMessage {
  /** The bytes of a message. */
  final class Body {
    private final byte[] bytes;

    /** Takes the array as it is. */
    Body(byte[] bytes) {
      this.bytes = bytes;
    }

    byte[] bytes() {
      return bytes;
    }
  }

  /** What travels. */
  sealed interface Travelling extends ActorMessage {}

  /**
   * Wants an answer of as many bytes.
   *
   * @param byAkka whether the answer goes by Akka's own reference
   */
  record Question(boolean byAkka, Body body, ActorRef<ActorMessage> replyTo)
      implements Travelling {}

  /** The answer. */
  record Answer(Body body) implements Travelling {}

  /** Shots follow; acknowledge so many at once, none if it is 0. The answer is a state. */
  record Open(boolean byAkka, int half, ActorRef<ActorMessage> replyTo) implements Travelling {}

  /**
   * Shots since the last {@link Open}, and processor time of the process.
   *
   * @param isHalf whether shots go on
   */
  record State(boolean isHalf, long received, long cpuNs) implements Travelling {}

  /** Wants nothing. */
  record Shot(Body body) implements Travelling {}

  /** Ask a target so often, each time when the one before was answered; nanoseconds of all. */
  record AskAll(
      ActorRef<ActorMessage> target,
      boolean byAkka,
      Body body,
      int count,
      CompletableFuture<Long> done)
      implements ActorMessage {}

  /** Tell a target so much within a window; nanoseconds until all have been received. */
  record TellAll(
      ActorRef<ActorMessage> target,
      boolean byAkka,
      Body body,
      int count,
      int window,
      CompletableFuture<Long> done)
      implements ActorMessage {}

  /** An ask has failed. */
  record Failed(Throwable reason) implements ActorMessage {}

  /** Processor time of this process so far, in nanoseconds. */
  static long cpuNs() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
  }
}
