package io.tagfabric.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.AllDeadLetters;
import akka.actor.SuppressedDeadLetter;
import akka.actor.testkit.typed.javadsl.FishingOutcomes;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.eventstream.EventStream;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.control.ControlSerializer;
import io.tagfabric.control.ControlSerializers;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.jvms.TestPorts;
import io.tagfabric.support.Await;
import io.tagfabric.support.RemoteSystems;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Names of an ActorSystem that listens at a host and port, asked for without a cluster. */
class NameAtPlaceTest {
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String KEY = "tagfabric.job.key = \"" + UUID.randomUUID() + "\"\n";

  private final RemoteSystems systems = new RemoteSystems();

  @AfterEach
  void stop() {
    systems.close();
  }

  private Fabric start(String more) {
    return Fabric.get(systems.start("names", KEY + more));
  }

  private static String at(Fabric fabric, String name) {
    return RemoteSystems.placeOf(fabric.system()) + "/" + name;
  }

  private static Endpoint named(Fabric fabric, String name) {
    Endpoint endpoint = fabric.openDomain("d").openEndpoint("e");
    Await.get(fabric.register(name, endpoint));
    return endpoint;
  }

  @Test
  void shouldLeaveNoDeadLetterBehindWhereNobodyAnswers() {
    Fabric near = start("");
    Fabric far = start("tagfabric.names.enabled = off");
    TestProbe<AllDeadLetters> letters = TestProbe.create(far.system());
    far.system()
        .eventStream()
        .tell(new EventStream.Subscribe<>(AllDeadLetters.class, letters.getRef()));
    near.resolve(at(far, "nobody"));

    AllDeadLetters letter =
        letters
            .fishForMessage(
                LONG,
                each ->
                    each.message() instanceof NameService.Enquiry
                        ? FishingOutcomes.complete()
                        : FishingOutcomes.continueAndIgnore())
            .get(0);
    assertThat(letter).isInstanceOf(SuppressedDeadLetter.class);
  }

  private static void requireFailure(CompletionStage<?> stage, FabricError error, String text) {
    assertThat(Await.failure(stage))
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).as(e.getMessage()).isEqualTo(error))
        .hasMessageContaining(text);
  }

  /** Waits until the service of a system has answered at all, so that what follows is its word. */
  private static void meet(Fabric asker, Fabric asked) {
    Endpoint endpoint = asked.openDomain("meet").openEndpoint("meet");
    Await.get(asked.register("meet", endpoint));
    Await.get(asker.resolve(at(asked, "meet"), LONG));
    Await.get(asked.unregister("meet"));
  }

  @Test
  void shouldMakeANamedEndpointOfAnotherSystemAPeerThatGetsMessages() {
    Fabric server = start("");
    Endpoint greeter = named(server, "greeter");
    Domain domain = start("").openDomain("client");
    Endpoint client = domain.openEndpoint("client");

    int peer = Await.get(domain.connect(at(server, "greeter"), LONG));
    CompletionStage<TaggedMessage> received = greeter.futures().receiveTagged(TagSelector.exact(7));
    Await.get(client.futures().sendTagged(peer, "hello".getBytes(StandardCharsets.UTF_8), 7));

    assertThat(domain.addressVector().lookup(peer)).isEqualTo(greeter.address());
    assertThat(new String(Await.get(received).payload().array(), StandardCharsets.UTF_8))
        .isEqualTo("hello");
  }

  @Test
  void shouldFindANameWithSlashesAndColons() {
    Fabric server = start("");
    Endpoint endpoint = named(server, "shop/orders:1/[a]");

    assertThat(Await.get(start("").resolve(at(server, "shop/orders:1/[a]"), LONG)))
        .isEqualTo(endpoint.address());
  }

  @Test
  void shouldFindANameInASystemOfAnotherNameThatIsGiven() {
    Fabric server = Fabric.get(systems.start("other", KEY));
    Endpoint endpoint = named(server, "greeter");
    Fabric client = start("");

    assertThat(Await.get(client.resolve("other@" + at(server, "greeter"), LONG)))
        .isEqualTo(endpoint.address());
    requireFailure(
        client.resolve(at(server, "greeter"), SHORT),
        FabricError.HOST_UNREACHABLE,
        "its ActorSystem may have another name");
  }

  @Test
  void shouldFindANameAtAnIpv6AddressInBrackets() {
    Fabric server = start("akka.remote.artery.canonical.hostname = \"::1\"");
    Endpoint endpoint = named(server, "greeter");
    assertThat(at(server, "greeter")).startsWith("[::1]:");

    assertThat(Await.get(start("").resolve(at(server, "greeter"), LONG)))
        .isEqualTo(endpoint.address());
  }

  @Test
  void shouldFindANameOfItsOwnAtItsOwnPlace() {
    Fabric server = start("");
    Endpoint endpoint = named(server, "greeter");

    assertThat(Await.get(server.resolve(at(server, "greeter"), LONG)))
        .isEqualTo(endpoint.address());
  }

  @Test
  void shouldWaitUntilTheNameExists() {
    Fabric server = start("");
    Fabric client = start("");
    meet(client, server);
    CompletionStage<EndpointAddress> found = client.resolve(at(server, "late"), LONG);
    CompletionStage<EndpointAddress> foundToo = client.resolve(at(server, "late"), LONG);
    Endpoint endpoint = named(server, "late");

    assertThat(Await.get(found)).isEqualTo(endpoint.address());
    assertThat(Await.get(foundToo)).isEqualTo(endpoint.address());
  }

  @Test
  void shouldWaitUntilTheSystemExists() {
    int port = TestPorts.next();
    Fabric client = start("");
    CompletionStage<EndpointAddress> found = client.resolve("127.0.0.1:" + port + "/greeter", LONG);
    Endpoint endpoint = named(start("akka.remote.artery.canonical.port = " + port), "greeter");

    assertThat(Await.get(found)).isEqualTo(endpoint.address());
  }

  @Test
  void shouldFindTheEndpointOfASystemThatHasRestarted() {
    Fabric server = start("");
    String greeter = at(server, "greeter");
    int port = server.system().address().getPort().orElseThrow();
    Endpoint before = named(server, "greeter");
    Fabric client = start("");
    assertThat(Await.get(client.resolve(greeter, LONG))).isEqualTo(before.address());
    systems.stop(server.system());
    CompletionStage<EndpointAddress> found = client.resolve(greeter, LONG);
    Endpoint after = named(start("akka.remote.artery.canonical.port = " + port), "greeter");

    assertThat(Await.get(found)).isEqualTo(after.address()).isNotEqualTo(before.address());
  }

  @Test
  void shouldNameWhatThereIsWhenTheTimeIsOver() {
    Fabric server = start("");
    named(server, "greeter");
    Fabric client = start("");
    named(client, "own");
    meet(client, server);

    assertThat(Await.failure(client.resolve(at(server, "nobody"), Duration.ofSeconds(2))))
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.NO_ENTRY))
        .hasMessageStartingWith("no endpoint had the name [" + at(server, "nobody") + "] within")
        .hasMessageEndingWith("the names known are [greeter]");
  }

  @Test
  void shouldSayThatNobodyAnswersWhereNobodyListens() {
    int port = TestPorts.next();
    Domain domain = start("").openDomain("d");

    requireFailure(
        domain.connect("127.0.0.1:" + port + "/greeter", SHORT),
        FabricError.HOST_UNREACHABLE,
        "no name service has answered at [akka://names@127.0.0.1:" + port + "] about [greeter]");
  }

  @Test
  void shouldWaitForAnAnswerNoLongerThanForAFlowIfNoTimeIsGiven() {
    int port = TestPorts.next();
    Domain domain = start("tagfabric.flow.connect-timeout = 100 ms").openDomain("d");

    requireFailure(
        domain.connect("127.0.0.1:" + port + "/greeter"),
        FabricError.HOST_UNREACHABLE,
        "no name service has answered");
  }

  @Test
  void shouldWaitOnForTheNameOnceThePlaceHasAnsweredIfNoTimeIsGiven() {
    Fabric server = start("");
    Fabric client = start("tagfabric.flow.connect-timeout = 2 s");
    meet(client, server);
    CompletionStage<EndpointAddress> found = client.resolve(at(server, "late"));
    // Fails when the other search would have failed, too.
    requireFailure(
        client.resolve("127.0.0.1:" + TestPorts.next() + "/late"),
        FabricError.HOST_UNREACHABLE,
        "no name service");
    Endpoint endpoint = named(server, "late");

    assertThat(Await.get(found)).isEqualTo(endpoint.address());
  }

  @Test
  void shouldRefuseAMistakeAtOnce() {
    Domain domain = start("").openDomain("d");

    requireFailure(
        domain.connect("127.0.0.1:99999/greeter"), FabricError.INVALID, "port=99999 must be");
    requireFailure(domain.connect("::1:25520/greeter", LONG), FabricError.INVALID, "in brackets");
    requireFailure(domain.connect("127.0.0.1:25520/"), FabricError.INVALID, "behind the /");
  }

  @Test
  void shouldNotGiveANameThatWouldAskAnotherSystem() {
    Fabric fabric = start("");
    Endpoint endpoint = fabric.openDomain("d").openEndpoint("e");

    assertThatThrownBy(() -> fabric.register("127.0.0.1:25520/greeter", endpoint))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("looks like host:port/name");
    Await.get(fabric.register("cluster-akka://names@127.0.0.1:25520/x", endpoint));
    assertThat(Await.get(fabric.resolve("cluster-akka://names@127.0.0.1:25520/x")))
        .isEqualTo(endpoint.address());
  }

  @Test
  void shouldTellAnotherPartitionNothing() {
    Fabric server = start("tagfabric.partition.key = 7");
    named(server, "greeter");
    Fabric client = start("tagfabric.partition.key = 8");

    assertThat(Await.failure(client.resolve(at(server, "greeter"))))
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.KEY_REJECTED))
        .hasMessageContaining("give both the same tagfabric.partition.key")
        .hasMessageNotContaining("greeter");
  }

  @Test
  void shouldTellAnotherJobNothing() {
    Fabric server = start("");
    Endpoint greeter = named(server, "greeter");
    ActorSystem<?> stranger =
        systems.start("names", "tagfabric.job.key = \"" + UUID.randomUUID() + "\"");
    ControlSerializer serializer = ControlSerializers.of(server.system(), greeter.address());
    CompletionStage<EndpointAddress> found =
        Fabric.get(stranger).resolve(at(server, "greeter"), Duration.ofSeconds(3));
    Await.until("the question has come", () -> serializer.forged() > 0);

    requireFailure(found, FabricError.HOST_UNREACHABLE, "another tagfabric.job.key");
    assertThat(Await.get(start("").resolve(at(server, "greeter"), LONG)))
        .isEqualTo(greeter.address());
  }

  @Test
  void shouldListSomeOfManyNames() {
    Fabric server = start("");
    Endpoint endpoint = named(server, "0");
    for (int i = 1; i < 150; i++) {
      Await.get(server.register("x".repeat(250) + i, endpoint));
    }
    Fabric client = start("");
    meet(client, server);

    assertThat(Await.failure(client.resolve(at(server, "nobody"), Duration.ofSeconds(2))))
        .hasMessageContaining("known are [0, xx")
        .hasMessageEndingWith("and 50 more]");
  }
}
