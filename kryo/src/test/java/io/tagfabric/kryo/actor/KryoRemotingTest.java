package io.tagfabric.kryo.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.Done;
import akka.actor.Address;
import akka.actor.BootstrapSetup;
import akka.actor.Dropped;
import akka.actor.setup.ActorSystemSetup;
import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.eventstream.EventStream;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.serialization.Serialization;
import akka.serialization.SerializationExtension;
import akka.util.ByteString;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.kryo.KryoCodec;
import io.tagfabric.kryo.KryoCodecException;
import io.tagfabric.kryo.KryoRegistrations;
import io.tagfabric.kryo.KryoSerializable;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two actor systems that meet over Artery TCP on the loopback interface. */
class KryoRemotingTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String CONFIG =
"""
akka.actor.provider = remote
akka.actor.allow-java-serialization = off
akka.remote.artery {
  transport = tcp
  canonical { hostname = "127.0.0.1", port = 0 }
  bind.bind-timeout = 30 s
  advanced { inbound-lanes = 1, maximum-frame-size = 64 KiB, handshake-retry-interval = 50 ms }
}
akka.loglevel = WARNING
akka.stdout-loglevel = OFF
""";

  private static final String GREET = Greet.class.getName();

  private static ActorTestKit near;
  private static ActorTestKit far;

  record Greet(String name, String padding, ActorRef<Greeted> replyTo)
      implements KryoSerializable {}

  record Greeted(String text, akka.actor.ActorRef greeter, Address from)
      implements KryoSerializable {}

  record Unregistered(ActorRef<Greeted> replyTo) implements KryoSerializable {}

  @BeforeAll
  static void startSystems() {
    near = start("near", KryoRegistrations.of(Greet.class, Greeted.class), "");
    // The far side names the same classes in another way and order.
    far =
        start(
            "far",
            KryoRegistrations.of(Greeted.class),
            "tagfabric.kryo.registrations = [\"" + GREET + "\"]");
  }

  @AfterAll
  static void stopSystems() {
    near.shutdownTestKit();
    far.shutdownTestKit();
  }

  private static ActorTestKit start(String name, KryoRegistrations classes, String more) {
    Config config =
        ConfigFactory.parseString(more)
            .withFallback(ConfigFactory.parseString(CONFIG))
            .withFallback(ConfigFactory.parseResources("tagfabric-kryo.conf"))
            .withFallback(ConfigFactory.load());
    ActorSystemSetup setup =
        ActorSystemSetup.create(BootstrapSetup.create(config), new KryoSetup(classes));
    return ActorTestKit.create(ActorSystem.create(Behaviors.empty(), name, setup));
  }

  private static Behavior<Object> greeter() {
    return Behaviors.setup(
        context -> {
          Address here = context.getSystem().address();
          akka.actor.ActorRef self = Adapter.toClassic(context.getSelf());
          return Behaviors.receive(Object.class)
              .onMessage(
                  Greet.class,
                  greet -> {
                    greet.replyTo().tell(new Greeted("hello " + greet.name(), self, here));
                    return Behaviors.same();
                  })
              .build();
        });
  }

  /** The far actor as the near system sees it. */
  private static ActorRef<Object> remoteGreeter() {
    String path = ActorRefResolver.get(far.system()).toSerializationFormat(far.spawn(greeter()));
    return ActorRefResolver.get(near.system()).resolveActorRef(path);
  }

  private static Greet greet(String name, ActorRef<Greeted> replyTo) {
    return new Greet(name, "", replyTo);
  }

  @Test
  void shouldReplyThroughTheSentReferenceWhenAMessageCrossesSystems() {
    TestProbe<Greeted> probe = near.createTestProbe(Greeted.class);
    ActorRef<Object> greeter = remoteGreeter();

    greeter.tell(greet("ż", probe.getRef()));
    Greeted greeted = probe.receiveMessage(PATIENCE);

    assertThat(greeted.text()).isEqualTo("hello ż");
    assertThat(greeted.greeter()).isEqualTo(Adapter.toClassic(greeter));
    assertThat(greeted.from()).isEqualTo(greeter.path().address());
  }

  @Test
  void shouldReportDroppedAndGoOnWhenAMessageExceedsTheFrame() {
    TestProbe<Greeted> probe = near.createTestProbe(Greeted.class);
    TestProbe<Dropped> dropped = near.createTestProbe(Dropped.class);
    near.system().eventStream().tell(new EventStream.Subscribe<>(Dropped.class, dropped.getRef()));
    ActorRef<Object> greeter = remoteGreeter();
    Greet large = new Greet("large", "x".repeat(65 << 10), probe.getRef());

    greeter.tell(large);
    greeter.tell(greet("small", probe.getRef()));

    assertThat(dropped.receiveMessage(PATIENCE).message()).isEqualTo(large);
    assertThat(probe.receiveMessage(PATIENCE).text()).isEqualTo("hello small");
  }

  @Test
  void shouldGoOnWhenAMessageIsNotRegistered() {
    TestProbe<Greeted> probe = near.createTestProbe(Greeted.class);
    ActorRef<Object> greeter = remoteGreeter();

    greeter.tell(new Unregistered(probe.getRef()));
    greeter.tell(greet("next", probe.getRef()));

    assertThat(probe.receiveMessage(PATIENCE).text()).isEqualTo("hello next");
  }

  @Test
  void shouldAgreeWhenBothSidesRegisterTheSameClasses() {
    KryoRegistrations here = KryoExtension.codec(near.system()).registrations();
    KryoRegistrations there = KryoExtension.codec(far.system()).registrations();

    assertThat(there.fingerprint()).isEqualTo(here.fingerprint());
    assertThat(there.difference(KryoRegistrations.of(Greet.class, Greeted.class).describe()))
        .containsExactly(
            "class=akka.Done is registered here only",
            "class=akka.actor.ActorRef is registered here only",
            "class=akka.actor.Address is registered here only",
            "class=akka.actor.typed.ActorRef is registered here only",
            "class=akka.util.ByteString is registered here only");
  }

  @Test
  void shouldReturnEqualValuesWhenTheyAreAkkas() {
    KryoCodec codec = KryoExtension.codec(near.system());
    TestProbe<Greeted> probe = near.createTestProbe(Greeted.class);
    ByteString bytes = ByteString.fromArray(new byte[] {1, 2}).concat(ByteString.fromString("ż"));
    List<Object> values =
        Arrays.asList(
            probe.getRef(),
            near.system(),
            near.system().deadLetters(),
            Adapter.toClassic(probe.getRef()),
            new Address("akka", "sys"),
            new Address("akka", "sys", "host", 0),
            bytes,
            ByteString.emptyByteString(),
            Done.getInstance(),
            null);

    List<?> decoded = (List<?>) codec.decode(codec.encode(values));

    assertThat(decoded.get(0)).isEqualTo(probe.getRef());
    assertThat(((ActorRef<?>) decoded.get(1)).path()).isEqualTo(near.system().path());
    assertThat(((ActorRef<?>) decoded.get(2)).path()).isEqualTo(near.system().deadLetters().path());
    assertThat(decoded.subList(3, 10)).isEqualTo(values.subList(3, 10));
  }

  @Test
  void shouldRefuseWhenAReferenceBelongsToAnotherSystemOfTheJvm() {
    KryoCodec codec = KryoExtension.codec(near.system());
    ActorRef<Object> stranger = far.spawn(greeter());

    assertThatExceptionOfType(KryoCodecException.class)
        .isThrownBy(() -> codec.encode(List.of(stranger)))
        .withMessageContaining("ActorSystem");
    assertThatExceptionOfType(KryoCodecException.class)
        .isThrownBy(() -> codec.encode(List.of(Adapter.toClassic(stranger))));
  }

  @Test
  void shouldServeAkkasSerializationWhenAMessageIsMarked() throws Exception {
    Serialization serialization = SerializationExtension.get(Adapter.toClassic(near.system()));
    Greeted greeted = new Greeted("x", null, null);

    TagfabricKryoSerializer serializer =
        (TagfabricKryoSerializer) serialization.findSerializerFor(greeted);
    byte[] bytes = serializer.toBinary(greeted);
    ByteBuffer small = ByteBuffer.allocateDirect(bytes.length - 1);

    assertThat(serializer.identifier()).isEqualTo(640);
    assertThat(serializer.manifest(greeted)).isEmpty();
    assertThat(serializer.fromBinary(bytes, "")).isEqualTo(greeted);
    assertThatThrownBy(() -> serializer.toBinary(greeted, small))
        .isInstanceOf(BufferOverflowException.class)
        .hasMessageContaining("roomBytes=" + small.capacity());
  }
}
