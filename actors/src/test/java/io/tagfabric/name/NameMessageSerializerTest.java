package io.tagfabric.name;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorRef;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.address.Protocols;
import io.tagfabric.control.AnyRecord;
import io.tagfabric.control.ControlSerializers;
import io.tagfabric.job.JobMessageSerializer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NameMessageSerializerTest {
  private static final ActorTestKit KIT = ofJob();
  private static final ActorTestKit OTHER_JOB = ofJob();
  private static final ActorRef<NameService.Command> REF =
      KIT.<NameService.Command>createTestProbe().ref();
  private static final Node NODE = Places.node(7);
  private static final EndpointAddress ADDRESS = Places.endpoint(NODE, 3);
  private static final Stamp STAMP = new Stamp(42, NODE);

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
    OTHER_JOB.shutdownTestKit();
  }

  private static ActorTestKit ofJob() {
    return ActorTestKit.create(
        ConfigFactory.parseString("tagfabric.job.key = \"" + UUID.randomUUID() + "\"")
            .withFallback(ConfigFactory.load()));
  }

  static Stream<Object> messages() {
    return Stream.of(
        ADDRESS,
        new NameService.Claim("bob", STAMP, ADDRESS, REF),
        new NameService.Vote("bob", STAMP, NODE, ADDRESS),
        new NameService.Vote("bob", STAMP, NODE, null),
        new NameService.Ask("bob", REF),
        new NameService.Answer("bob", ADDRESS, NODE, List.of("bob", "eve")),
        new NameService.Answer("bob", null, NODE, List.of()),
        new NameService.Enquiry(9, 7, "bob", REF),
        new NameService.Finding(9, true, ADDRESS, List.of("bob", "eve")),
        new NameService.Finding(9, false, null, List.of()),
        new NameService.Refusal(new Protocols(7, 9), 9, NODE, "because"),
        new NameService.Holdings(List.of(new NameTable.Holding("bob", ADDRESS, STAMP)), REF));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void shouldReadWhatItWrote(Object message) {
    ControlSerializers.requireRoundTrip(KIT.system(), message, NameMessageSerializer.class);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void shouldDropWhatDoesNotProveTheKey(Object message) {
    ControlSerializers.requireProof(KIT.system(), message);
    ControlSerializers.requireOwnJob(
        KIT.system(), OTHER_JOB.system(), message, JobMessageSerializer::new);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void shouldNotTellTheKey(Object message) {
    ControlSerializers.requireNoKey(KIT.system(), message);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void shouldRefuseBytesThatAreNoMessage(Object message) {
    ControlSerializers.requireRefusal(KIT.system(), message);
  }

  private static Object any(long seed) {
    Random random = new Random(seed);
    List<Object> examples = messages().toList();
    AnyRecord makes =
        new AnyRecord(
            random,
            Map.of(
                ActorRef.class,
                () -> REF,
                Protocols.class,
                () -> new Protocols(1 + random.nextInt(9), 10 + random.nextInt(9)),
                EndpointAddress.class,
                () -> random.nextBoolean() ? ADDRESS : null));
    Object example = examples.get(random.nextInt(examples.size()));
    return example == ADDRESS ? ADDRESS : makes.of(example.getClass());
  }

  @Property(tries = 100)
  void shouldReadWhateverItWrote(@ForAll long seed) {
    ControlSerializers.requireRoundTrip(KIT.system(), any(seed), NameMessageSerializer.class);
  }

  @Property(tries = 500)
  void shouldRefuseInOneWay(@ForAll long seed) {
    ControlSerializers.requireOneRefusal(KIT.system(), any(seed), new Random(seed));
  }
}
