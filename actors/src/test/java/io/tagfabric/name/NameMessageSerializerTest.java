package io.tagfabric.name;

import akka.actor.ExtendedActorSystem;
import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.control.ControlSerializers;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NameMessageSerializerTest {
  private static final ActorTestKit KIT = ActorTestKit.create();
  private static final ActorRef<NameService.Command> REF =
      KIT.<NameService.Command>createTestProbe().ref();
  private static final UUID KEY = UUID.randomUUID();
  private static final Node NODE = Places.node(7);
  private static final EndpointAddress ADDRESS = Places.endpoint(NODE, 3);
  private static final Stamp STAMP = new Stamp(42, NODE);

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  static Stream<Object> messages() {
    return Stream.of(
        ADDRESS,
        new NameService.Claim(KEY, "bob", STAMP, ADDRESS, REF),
        new NameService.Vote("bob", STAMP, NODE, ADDRESS),
        new NameService.Vote("bob", STAMP, NODE, null),
        new NameService.Ask(KEY, "bob", REF),
        new NameService.Answer("bob", ADDRESS, NODE, List.of("bob", "eve")),
        new NameService.Answer("bob", null, NODE, List.of()),
        new NameService.Holdings(KEY, List.of(new NameTable.Holding("bob", ADDRESS, STAMP)), REF));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void shouldReadWhatItWrote(Object message) {
    ControlSerializers.requireRoundTrip(KIT.system(), message, NameMessageSerializer.class);
  }

  @Test
  void shouldRefuseBytesThatAreNoMessage() {
    NameMessageSerializer serializer =
        new NameMessageSerializer((ExtendedActorSystem) Adapter.toClassic(KIT.system()));

    ControlSerializers.requireRefusal(serializer, List.of("e", "c", "v", "q", "a", "h", "?"));
  }
}
