package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.receive.EndpointBindings;
import io.tagfabric.receive.EndpointBindings.Direction;
import io.tagfabric.tag.TagSelector;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The ends of a datagram's life; what it carries is in the contract of providers. */
class DatagramEndpointTest {
  private static final ActorTestKit KIT = ActorTestKit.create("datagrams", ConfigFactory.load());
  private static final Duration DRAIN = Duration.ofSeconds(20);
  private static int number;

  private final Domain near = open(ProgressMode.MANUAL);
  private final Domain far = open(ProgressMode.AUTO);
  private final Endpoint sender = near.openEndpoint("sender", bindings(near).sendingDatagrams());

  private static Domain open(ProgressMode mode) {
    return Fabric.get(KIT.system()).openDomain("datagrams-" + number++, mode);
  }

  private static EndpointBindings bindings(Domain domain) {
    return EndpointBindings.to(domain.openCompletionQueue(64), domain.openCompletionQueue(64));
  }

  @AfterEach
  void close() {
    near.close(Duration.ZERO);
    far.close(Duration.ZERO);
  }

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  @Test
  void shouldSendWhatWaitsForTheAnswerOfItsPeerWhenItCloses() {
    Endpoint receiver = far.openEndpoint("receiver", bindings(far));
    int peer = near.addressVector().insert(receiver.address());
    var received = receiver.futures().receiveTagged(TagSelector.exact(1));
    var sent = sender.futures().sendTagged(peer, new byte[5], 1);
    Endpoint.Closed report = sender.close(DRAIN).toCompletableFuture().join();
    assertThat(report.undeliveredSends()).isZero();
    assertThat(sent.toCompletableFuture().join()).isInstanceOf(Completion.Sent.class);
    assertThat(received.toCompletableFuture().join().payload().length()).isEqualTo(5);
  }

  @Test
  void shouldFailWhatWaitsWhenThePeerRefuses() {
    Endpoint receiver =
        far.openEndpoint(
            "receiver", bindings(far).onConnect(asker -> java.util.Optional.of("not today")));
    int peer = near.addressVector().insert(receiver.address());
    for (int i = 0; i < 2; i++) {
      var sent = sender.futures().sendTagged(peer, new byte[5], 1);
      try {
        throw new AssertionError("it was sent: " + sent.toCompletableFuture().join());
      } catch (CompletionException e) {
        assertThat(((FabricException) e.getCause()).error())
            .isEqualTo(FabricError.CONNECTION_REFUSED);
      }
    }
    assertThat(sender.close(DRAIN).toCompletableFuture().join().undeliveredSends()).isZero();
  }

  @Test
  void shouldBeDroppedByAnEndpointThatOnlySends() {
    Endpoint other = far.openEndpoint("other", bindings(far).only(Direction.SEND));
    int peer = near.addressVector().insert(other.address());
    int back = far.addressVector().insert(sender.address());
    sender.futures().sendTagged(peer, new byte[5], 1).toCompletableFuture().join();
    assertThat(
            near.await(
                () -> {
                  FlowCounters.Snapshot counters =
                      other.flowCounters(back).toCompletableFuture().join();
                  return counters.datagramsReceived() == 1 && counters.datagramsDropped() == 1;
                },
                DRAIN))
        .isTrue();
    assertThat(other.futures().matcherState().toCompletableFuture().join().unexpectedMessages())
        .isZero();
  }
}
