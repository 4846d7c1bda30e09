package io.tagfabric.stream;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorSystem;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** Two domains with an endpoint each that know one another. */
final class StreamPair implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ActorTestKit kit;
  final Domain left;
  final Domain right;
  final Endpoint sender;
  final Endpoint receiver;

  /** Index of the receiver at the sender's domain. */
  final int toReceiver;

  /** Index of the sender at the receiver's domain. */
  final int toSender;

  private StreamPair(ProgressMode mode, UnaryOperator<EndpointSettings> settings) {
    kit =
        ActorTestKit.create(
            "streams",
            ConfigFactory.parseString(
                    """
                    akka.actor.provider = local
                    tagfabric.kryo.registrations = ["io.tagfabric.stream.StreamPair$Order"]
                    """)
                .withFallback(ConfigFactory.load()));
    Fabric fabric = Fabric.get(kit.system());
    left = fabric.openDomain("left", mode);
    right = fabric.openDomain("right", mode);
    sender = open(left, "sender", settings);
    receiver = open(right, "receiver", settings);
    toReceiver = left.addressVector().insert(receiver.address());
    toSender = right.addressVector().insert(sender.address());
  }

  /** An object that travels. */
  record Order(int number, String item) {}

  private static Endpoint open(
      Domain domain, String name, UnaryOperator<EndpointSettings> settings) {
    return domain.openEndpoint(
        name,
        domain.openCompletionQueue(),
        domain.openCompletionQueue(),
        settings.apply(domain.endpointDefaults()));
  }

  static StreamPair open(ProgressMode mode) {
    return new StreamPair(mode, settings -> settings);
  }

  static StreamPair open(ProgressMode mode, UnaryOperator<EndpointSettings> settings) {
    return new StreamPair(mode, settings);
  }

  ActorSystem<?> system() {
    return kit.system();
  }

  /** Waits while driving the receiver's domain. */
  void await(String what, BooleanSupplier condition) {
    assertThat(right.await(condition, PATIENCE)).as(what).isTrue();
  }

  TagMatcher.State matcher() {
    return receiver.futures().matcherState().toCompletableFuture().join();
  }

  /** What the sender's flow to the receiver has done; null before there is a flow. */
  FlowCounters.Snapshot sent() {
    var flows = sender.futures().flows().toCompletableFuture().join().flows();
    return flows.isEmpty() ? null : flows.get(0).counters();
  }

  @Override
  public void close() {
    kit.shutdownTestKit();
  }
}
