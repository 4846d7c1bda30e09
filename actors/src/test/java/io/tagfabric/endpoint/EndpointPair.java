package io.tagfabric.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.link.Posted;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Two endpoints of one domain with few slots and places, so that a missing one is noticed. */
final class EndpointPair implements AutoCloseable {
  static final int SLOTS = 8;
  static final int PLACES = 16;
  static final int LONGEST = 100_000;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  final ActorTestKit kit =
      ActorTestKit.create(
          ConfigFactory.parseString(
                  """
                  tagfabric.provider.use = [local]
                  tagfabric.endpoint { max-message-size = %d B, max-pending-futures = %d }
                  akka.loglevel = ERROR
                  akka.log-dead-letters = off
                  """
                      .formatted(LONGEST, PLACES))
              .withFallback(ConfigFactory.load()));
  final Domain domain = Fabric.get(kit.system()).openDomain("pair", ProgressMode.AUTO);
  final Endpoint endpoint = openEndpoint("endpoint");
  final Endpoint other = openEndpoint("other");
  final int toOther = domain.addressVector().insert(other.address());
  final int toEndpoint = domain.addressVector().insert(endpoint.address());

  Endpoint openEndpoint(String name) {
    CompletionQueue transmit = domain.openCompletionQueue(SLOTS);
    return domain.openEndpoint(name, transmit, domain.openCompletionQueue(SLOTS));
  }

  /** As many operations as there are slots and places, both ways and through each face. */
  void fillEveryPlace() {
    fillEveryPlace(endpoint, toOther, other);
    fillEveryPlace(other, toEndpoint, endpoint);
  }

  /** As many operations as there are slots and places, in each queue and through each face. */
  private static void fillEveryPlace(Endpoint from, int peer, Endpoint to) {
    for (int i = 0; i < SLOTS; i++) {
      assertThat(to.postReceive(ByteBuffer.allocate(8), i, 0, i)).isEqualTo(Posted.POSTED);
    }
    for (int i = 0; i < SLOTS; i++) {
      assertThat(from.sendTagged(peer, ByteBuffer.allocate(8), i, i)).isEqualTo(Posted.POSTED);
    }
    for (int i = 0; i < SLOTS; i++) {
      assertThat(from.transmitQueue().readBlocking(PATIENCE)).isInstanceOf(Completion.Sent.class);
      assertThat(to.receiveQueue().readBlocking(PATIENCE)).isInstanceOf(Completion.Received.class);
    }
    List<CompletionStage<TaggedMessage>> received = new ArrayList<>();
    for (int i = 0; i < PLACES; i++) {
      received.add(to.futures().receiveTagged(TagSelector.exact(i)));
    }
    List<CompletionStage<Completion.Sent>> sent = new ArrayList<>();
    for (int i = 0; i < PLACES; i++) {
      sent.add(from.futures().sendTagged(peer, new byte[40_000], i));
    }
    sent.forEach(Await::get);
    received.forEach(Await::get);
    TagMatcher.State state = Await.get(to.futures().matcherState());
    assertThat(state.postedReceives()).isZero();
    assertThat(state.unexpectedMessages()).isZero();
  }

  @Override
  public void close() {
    domain.close(Duration.ZERO);
    kit.shutdownTestKit();
  }
}
