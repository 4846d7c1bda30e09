package io.tagfabric.bench.ours;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorRef;
import com.typesafe.config.ConfigFactory;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AkkaPlayerTest {
  private final ActorTestKit kit =
      ActorTestKit.create(
          ConfigFactory.parseString("akka.actor { provider = local, serialize-messages = off }")
              .withFallback(ConfigFactory.parseResources("tagfabric-bench.conf"))
              .withFallback(ConfigFactory.load()));
  private final ActorRef<AkkaPlayer.Command> near = kit.spawn(AkkaPlayer.create());
  private final ActorRef<AkkaPlayer.Command> far = kit.spawn(AkkaPlayer.create());
  private final Histogram spansNs = new Histogram(3);
  private final CompletableFuture<Long> done = new CompletableFuture<>();

  @AfterEach
  void shutDown() {
    kit.shutdownTestKit();
  }

  @Test
  void shouldPlayAsManyRoundTripsAsAsked() {
    far.tell(new AkkaPlayer.Pong(near, 8));

    near.tell(new AkkaPlayer.Ping(far, 8, 50, spansNs, done));

    assertThat(done.join()).isPositive();
    assertThat(spansNs.getTotalCount()).isEqualTo(50);
  }

  @Test
  void shouldStreamAllMessagesWithinTheWindow() {
    far.tell(new AkkaPlayer.Drain(near, 10));

    near.tell(new AkkaPlayer.Stream(far, 8, 200, 10, spansNs, done));

    assertThat(done.join()).isPositive();
    assertThat(spansNs.getTotalCount()).isEqualTo(40);
  }

  @Test
  void shouldTravelAsTheirBytesAlone() {
    AkkaMessageSerializer serializer = new AkkaMessageSerializer(null);
    AkkaPlayer.Ball ball = new AkkaPlayer.Ball(new byte[] {1, 2, 3});

    byte[] bytes = serializer.toBinary(ball);
    Object read = serializer.fromBinary(bytes, serializer.manifest(ball));

    assertThat(bytes).containsExactly(1, 2, 3);
    assertThat(((AkkaPlayer.Ball) read).bytes()).containsExactly(1, 2, 3);
  }

  @Test
  void shouldTellAcknowledgementsFromMessages() {
    AkkaMessageSerializer serializer = new AkkaMessageSerializer(null);
    Object half = AkkaPlayer.HalfArrived.INSTANCE;

    Object read = serializer.fromBinary(serializer.toBinary(half), serializer.manifest(half));

    assertThat(read).isSameAs(half);
  }
}
