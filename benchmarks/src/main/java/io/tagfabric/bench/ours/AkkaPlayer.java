package io.tagfabric.bench.ours;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import io.tagfabric.bench.measure.Exchange;
import io.tagfabric.bench.measure.TransferKind;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;

/**
 * Plain Akka, to compare with: the same two patterns of {@link Exchange} as an actor and its twin
 * in another rank would do them, with tell and nothing else.
 */
final class AkkaPlayer extends AbstractBehavior<AkkaPlayer.Command> {
  /** What a player can be told. */
  sealed interface Command {}

  /** What one player tells the other. */
  sealed interface Travelling extends Command {}

  /** A message of the measured length. */
  static final class Ball implements Travelling {
    private final byte[] bytes;

    /** Takes the array as it is. */
    Ball(byte[] bytes) {
      this.bytes = bytes;
    }

    byte[] bytes() {
      return bytes;
    }
  }

  /** Half a window has arrived. */
  enum HalfArrived implements Travelling {
    INSTANCE
  }

  /** Send and wait for the answer, again and again; the future gets the nanoseconds of all. */
  record Ping(
      ActorRef<Command> twin,
      int bytes,
      int iterations,
      Histogram spansNs,
      CompletableFuture<Long> done)
      implements Command {}

  /** Send messages within a window. */
  record Stream(
      ActorRef<Command> twin,
      int bytes,
      int messages,
      int window,
      Histogram spansNs,
      CompletableFuture<Long> done)
      implements Command {}

  /** Answer every message of the twin. */
  record Pong(ActorRef<Command> twin, int bytes) implements Command {}

  /** Acknowledge every half window of messages. */
  record Drain(ActorRef<Command> twin, int window) implements Command {}

  private enum Role {
    NONE,
    PING,
    PONG,
    STREAM,
    DRAIN
  }

  private Role role = Role.NONE;
  private ActorRef<Command> twin;
  private Ball ball;
  private int half;
  private int window;
  private int wanted;
  private int received;
  private int sent;
  private long beginNs;
  private long lastNs;
  private Histogram spansNs;
  private CompletableFuture<Long> done;

  private AkkaPlayer(ActorContext<Command> context) {
    super(context);
  }

  static Behavior<Command> create() {
    return Behaviors.setup(AkkaPlayer::new);
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Ball.class, notUsed -> onBall())
        .onMessage(HalfArrived.class, notUsed -> onHalfArrived())
        .onMessage(Ping.class, this::onPing)
        .onMessage(Stream.class, this::onStream)
        .onMessage(Pong.class, this::onPong)
        .onMessage(Drain.class, this::onDrain)
        .build();
  }

  private Behavior<Command> onBall() {
    received++;
    if (role == Role.DRAIN) {
      if (received % half == 0) {
        twin.tell(HalfArrived.INSTANCE);
      }
    } else if (role == Role.PONG) {
      twin.tell(ball);
    } else if (noteSpan()) {
      twin.tell(ball);
    }
    return this;
  }

  private Behavior<Command> onHalfArrived() {
    received++;
    noteSpan();
    sendWithinWindow();
    return this;
  }

  /** Records the time since the last one; false when all have come. */
  private boolean noteSpan() {
    long nowNs = System.nanoTime();
    spansNs.recordValue(nowNs - lastNs);
    lastNs = nowNs;
    if (received < wanted) {
      return true;
    }
    role = Role.NONE;
    done.complete(nowNs - beginNs);
    return false;
  }

  private void sendWithinWindow() {
    int mayBeSent = Math.min(wanted * half, received * half + window);
    for (; sent < mayBeSent; sent++) {
      twin.tell(ball);
    }
  }

  private Behavior<Command> onPing(Ping ping) {
    begin(Role.PING, ping.twin(), ping.bytes());
    measure(ping.iterations(), ping.spansNs(), ping.done());
    twin.tell(ball);
    return this;
  }

  private Behavior<Command> onStream(Stream stream) {
    begin(Role.STREAM, stream.twin(), stream.bytes());
    window = stream.window();
    half = TransferKind.half(window);
    measure(stream.messages() / half, stream.spansNs(), stream.done());
    sendWithinWindow();
    return this;
  }

  private Behavior<Command> onPong(Pong pong) {
    begin(Role.PONG, pong.twin(), pong.bytes());
    return this;
  }

  private Behavior<Command> onDrain(Drain drain) {
    begin(Role.DRAIN, drain.twin(), 0);
    half = TransferKind.half(drain.window());
    return this;
  }

  private void begin(Role newRole, ActorRef<Command> newTwin, int bytes) {
    role = newRole;
    twin = newTwin;
    ball = new Ball(new byte[bytes]);
    received = 0;
    sent = 0;
  }

  private void measure(int newWanted, Histogram newSpansNs, CompletableFuture<Long> newDone) {
    wanted = newWanted;
    spansNs = newSpansNs;
    done = newDone;
    beginNs = System.nanoTime();
    lastNs = beginNs;
  }
}
