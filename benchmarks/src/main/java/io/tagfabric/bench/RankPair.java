package io.tagfabric.bench;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.Props;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.job.Job;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;

/**
 * The two ranks of a benchmark as one of them sees it: our endpoint and a plain actor here, the
 * same over there. Rank 0 tells rank 1 each run before it begins.
 */
final class RankPair {
  /** Who moves the messages of a run; END is no run but the end. */
  enum Mover {
    OURS,
    AKKA,
    END
  }

  private static final long MESSAGES = 1;
  private static final long NEXT_RUN = 2;
  private static final long GREETING = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Lets acknowledgements leave, so that our side is quiet while the other is measured. */
  private static final Duration SETTLE = Duration.ofMillis(5);

  private final Job job;
  private final Kind kind;
  private final int window;
  private final int other;
  private final End end;
  private final ActorRef<AkkaPlayer.Command> player;
  private final ActorRef<AkkaPlayer.Command> twin;

  RankPair(Job job, Kind kind, int window) {
    this.job = job;
    this.kind = kind;
    this.window = window;
    other = job.peer(1 - job.rank());
    end = new End(job.endpoint(), other, MESSAGES, End.Waiting.BLOCKING);
    player = job.system().systemActorOf(AkkaPlayer.create(), "bench-player", Props.empty());
    ActorRefResolver resolver = ActorRefResolver.get(job.system());
    send(GREETING, resolver.toSerializationFormat(player).getBytes(StandardCharsets.UTF_8));
    byte[] greeting = receive(GREETING);
    twin = resolver.resolveActorRef(new String(greeting, StandardCharsets.UTF_8));
  }

  /** Rank 0: Tagfabric between the ranks. */
  Subject ours() {
    return new Subject() {
      @Override
      public String name() {
        return "tagfabric";
      }

      @Override
      public String provider() {
        return providerInUse();
      }

      @Override
      public long run(int bytes, int iterations, Histogram spansNs) {
        tellNext(Mover.OURS, bytes, iterations);
        long elapsedNs =
            kind == Kind.LATENCY
                ? Exchange.ping(end, bytes, iterations, spansNs)
                : Exchange.stream(end, bytes, iterations, window, spansNs);
        job.domain().await(() -> false, SETTLE);
        return elapsedNs;
      }
    };
  }

  /** Rank 0: plain Akka between the same ranks. */
  Subject akka() {
    return new Subject() {
      @Override
      public String name() {
        return "akka";
      }

      @Override
      public String provider() {
        return "artery";
      }

      @Override
      public long run(int bytes, int iterations, Histogram spansNs) {
        tellNext(Mover.AKKA, bytes, iterations);
        CompletableFuture<Long> done = new CompletableFuture<>();
        CompletableFuture<Void> woken = done.thenRun(job.domain().loop()::wake);
        player.tell(
            kind == Kind.LATENCY
                ? new AkkaPlayer.Ping(twin, bytes, iterations, spansNs, done)
                : new AkkaPlayer.Stream(twin, bytes, iterations, window, spansNs, done));
        if (!job.domain().await(woken::isDone, PATIENCE)) {
          throw new IllegalStateException("akka has not finished a run within " + PATIENCE);
        }
        return done.join();
      }
    };
  }

  /** Rank 0: no more runs. */
  void end() {
    tellNext(Mover.END, 0, 0);
  }

  /** Rank 1: plays its part in every run that rank 0 begins. */
  void answer() {
    while (true) {
      ByteBuffer next = ByteBuffer.wrap(receive(NEXT_RUN));
      Mover mover = Mover.values()[next.getInt()];
      int bytes = next.getInt();
      int iterations = next.getInt();
      switch (mover) {
        case OURS -> answerOurs(bytes, iterations);
        case AKKA -> answerAkka(bytes);
        case END -> {
          return;
        }
      }
    }
  }

  private void answerOurs(int bytes, int iterations) {
    ready();
    if (kind == Kind.LATENCY) {
      Exchange.pong(end, bytes, iterations);
    } else {
      Exchange.drain(end, bytes, iterations, window);
    }
  }

  private void answerAkka(int bytes) {
    player.tell(
        kind == Kind.LATENCY
            ? new AkkaPlayer.Pong(twin, bytes)
            : new AkkaPlayer.Drain(twin, window));
    ready();
  }

  private void ready() {
    send(NEXT_RUN, new byte[0]);
  }

  private void tellNext(Mover mover, int bytes, int iterations) {
    ByteBuffer next = ByteBuffer.allocate(12);
    next.putInt(List.of(Mover.values()).indexOf(mover)).putInt(bytes).putInt(iterations);
    send(NEXT_RUN, next.array());
    if (mover != Mover.END) {
      receive(NEXT_RUN);
    }
  }

  private void send(long tag, byte[] bytes) {
    job.endpoint().futures().sendTagged(other, bytes, tag).toCompletableFuture().join();
  }

  private byte[] receive(long tag) {
    TaggedMessage message =
        job.endpoint()
            .futures()
            .receiveTagged(TagSelector.exact(tag).from(other))
            .toCompletableFuture()
            .join();
    return message.payload().array();
  }

  private String providerInUse() {
    return job.endpoint().futures().flows().toCompletableFuture().join().flows().stream()
        .filter(flow -> flow.peer() == other)
        .map(Endpoint.FlowInfo::provider)
        .findFirst()
        .orElse("none");
  }
}
