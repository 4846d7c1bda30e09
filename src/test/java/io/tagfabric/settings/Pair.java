package io.tagfabric.settings;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.testkit.LeakPolicy;
import io.tagfabric.testkit.TestFabric;
import io.tagfabric.testkit.TestTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.agrona.concurrent.UnsafeBuffer;

/** Endpoints {@code a} and {@code b}, one thread, and a clock that stands still. */
final class Pair {
  private final TestFabric fabric;

  /** Nobody looks at them: the endpoints' counters tell what has come of these sends. */
  private final List<CompletableFuture<Completion.Sent>> posted = new ArrayList<>();

  private Pair(TestFabric fabric) {
    this.fabric = fabric;
  }

  /** Sees something of a pair with these settings. */
  static Function<String, Object> seen(Function<Pair, Object> look) {
    return settings -> {
      try (TestFabric fabric =
          TestFabric.builder()
              .settings(settings)
              .progress(ProgressMode.MANUAL)
              .time(TestTime.VIRTUAL)
              .leaks(LeakPolicy.IGNORE)
              .build()) {
        return look.apply(new Pair(fabric));
      }
    };
  }

  /** Sees something of settings alone. */
  static Function<String, Object> read(Function<Settings, Object> look) {
    return text ->
        look.apply(Settings.of(ConfigFactory.parseString(text).withFallback(ConfigFactory.load())));
  }

  TestFabric fabric() {
    return fabric;
  }

  Endpoint a() {
    return fabric.endpoint("a");
  }

  Endpoint b() {
    return fabric.endpoint("b");
  }

  /** Sends from a to b, and lets it arrive. */
  void send(int lengthBytes) {
    post(lengthBytes);
    settle();
  }

  /** Sends from a to b without waiting. */
  void post(int lengthBytes) {
    posted.add(begin(lengthBytes));
  }

  /** The same; completes when b has it. */
  CompletableFuture<Completion.Sent> begin(int lengthBytes) {
    return a().futures()
        .start(
            TaggedSend.of(fabric.peer("b"), new UnsafeBuffer(new byte[lengthBytes]), 7)
                .level(CompletionLevel.TRANSMIT))
        .toCompletableFuture();
  }

  /** Lets everything happen that needs no time. */
  void settle() {
    fabric.advance(Duration.ofNanos(1));
  }

  void pass(Duration time) {
    fabric.advance(time);
  }

  /** What a has done towards b. */
  FlowCounters.Snapshot sent() {
    return fabric.await(a().flowCounters(fabric.peer("b")));
  }

  /** What b has done towards a. */
  FlowCounters.Snapshot answered() {
    return fabric.await(b().flowCounters(fabric.peer("a")));
  }

  int arrived() {
    return fabric.await(b().futures().matcherState()).unexpectedMessages();
  }

  /** How a future stands: not ended, well, or by which error. */
  static Object ending(CompletableFuture<?> future) {
    if (!future.isDone()) {
      return "not ended";
    }
    try {
      future.join();
      return "well";
    } catch (CompletionException e) {
      return e.getCause() instanceof FabricException failure ? failure.error() : e.getCause();
    }
  }

  /** How a call ends. */
  static Object ending(Runnable call) {
    try {
      call.run();
      return "well";
    } catch (RuntimeException e) {
      return e.getClass();
    }
  }
}
