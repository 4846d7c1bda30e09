package io.tagfabric.name;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.util.ByteString;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.Protocols;
import io.tagfabric.cluster.control.ControlCodec;
import io.tagfabric.control.ControlSerializer;
import io.tagfabric.control.ControlSerializers;
import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What builds of other protocols read of each other's messages: these bytes never change. */
class NameEnvelopeTest {
  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ConfigFactory.parseString("tagfabric.job.key = \"" + UUID.randomUUID() + "\"")
              .withFallback(ConfigFactory.load()));
  private static final ActorRef<NameService.Command> REF =
      KIT.<NameService.Command>createTestProbe().ref();
  private static final Node NODE = Places.node(7);
  private static final Protocols OTHERS = new Protocols(8, 9);
  private static final ControlSerializer SERIALIZER =
      ControlSerializers.of(KIT.system(), new NameService.Ask("bob", REF));
  private static final ControlCodec CODEC = SERIALIZER.codec();

  /** Length of the fixed fields, kind, schema, version; protocols 8..9; number 5. */
  private static final String ENVELOPE = "1000 3000 7500 0100 08000000 09000000 0500000000000000 ";

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  @Test
  void shouldHaveTheseBytes() {
    byte[] body = {0x11, 0x22, 0x33};

    assertThat(
            CODEC.encode(new NameEnvelope(OTHERS, 5, Optional.empty(), ByteString.fromArray(body))))
        .asHexString()
        .isEqualTo(hex(bytes(ENVELOPE + "0000 00000000 03000000 112233")));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().withUpperCase().formatHex(bytes);
  }

  @Test
  void shouldReadWhoAsksFromTheseBytes() {
    byte[] asker = ActorRefResolver.get(KIT.system()).toSerializationFormat(REF).getBytes(US_ASCII);
    byte[] length = {(byte) asker.length, 0, 0, 0};
    byte[] envelope =
        joined(bytes(ENVELOPE + "0000 01000000"), length, asker, bytes("03000000 112233"));

    assertThat(ControlSerializers.read(SERIALIZER, envelope))
        .isEqualTo(new NameService.Unreadable(OTHERS, 5, REF));
  }

  @Test
  void shouldRefuseWithTheseBytes() {
    Node node = new Node("akka://n@h:1", -2);
    NameService.Refusal refusal = new NameService.Refusal(OTHERS, 5, node, "no");
    byte[] expected =
        joined(
            bytes("1800 3100 7500 0100 08000000 09000000 0500000000000000 FEFFFFFFFFFFFFFF"),
            bytes("0C000000"),
            "akka://n@h:1".getBytes(US_ASCII),
            bytes("02000000"),
            "no".getBytes(US_ASCII));

    assertThat(CODEC.encode(refusal)).asHexString().isEqualTo(hex(expected));
    assertThat(ControlSerializers.read(SERIALIZER, expected)).isEqualTo(refusal);
  }

  @Test
  void shouldPutAllButARefusalIntoAnEnvelopeOfItsProtocols() {
    NameService.Enquiry enquiry = new NameService.Enquiry(5, 7, "bob", REF);
    NameService.Vote vote = new NameService.Vote("bob", new Stamp(4, NODE), NODE, null);

    assertThat(envelope(enquiry))
        .isEqualTo(List.of(Protocols.OWN, 5L, Optional.of(REF), hex(CODEC.encode(enquiry))));
    assertThat(envelope(new NameService.Ask("bob", REF))).startsWith(Protocols.OWN, 0L);
    assertThat(envelope(vote))
        .isEqualTo(List.of(Protocols.OWN, 0L, Optional.empty(), hex(CODEC.encode(vote))));
  }

  private static List<Object> envelope(NameMessage message) {
    byte[] bytes = SERIALIZER.toBinary(message);
    NameEnvelope envelope = (NameEnvelope) CODEC.decode(bytes, 32);
    return List.of(
        envelope.protocols(),
        envelope.number(),
        envelope.replyTo(),
        hex(envelope.body().toArrayUnsafe()));
  }

  @Property(tries = 200)
  void shouldNotReadABodyOfOtherProtocols(@ForAll byte[] body, @ForAll long number) {
    byte[] question =
        CODEC.encode(
            new NameEnvelope(OTHERS, number, Optional.of(REF), ByteString.fromArray(body)));
    byte[] answer =
        CODEC.encode(new NameEnvelope(OTHERS, 0, Optional.empty(), ByteString.fromArray(body)));

    assertThat(ControlSerializers.read(SERIALIZER, question))
        .isEqualTo(new NameService.Unreadable(OTHERS, number, REF));
    ControlSerializers.requireUnread(SERIALIZER, answer);
  }

  @Property(tries = 200)
  void shouldDropABodyThatIsNone(@ForAll byte[] body) {
    Protocols common = new Protocols(7, 9);

    ControlSerializers.requireUnread(
        SERIALIZER,
        CODEC.encode(new NameEnvelope(common, 0, Optional.of(REF), ByteString.fromArray(body))));
  }

  @Test
  void shouldReadABodyIfAProtocolIsCommon() {
    NameService.Ask ask = new NameService.Ask("bob", REF);
    byte[] body = CODEC.encode(ask);
    NameEnvelope envelope =
        new NameEnvelope(new Protocols(6, 9), 0, Optional.of(REF), ByteString.fromArray(body));

    assertThat(ControlSerializers.read(SERIALIZER, CODEC.encode(envelope))).isEqualTo(ask);
  }

  @Test
  void shouldDropWhatIsNoMessageOfNameServicesInAnEnvelope() {
    for (Object inside :
        List.of(
            Places.endpoint(NODE, 1),
            new NameService.Refusal(OTHERS, 5, NODE, "no"),
            new NameEnvelope(Protocols.OWN, 5, Optional.empty(), ByteString.emptyByteString()))) {
      NameEnvelope envelope =
          new NameEnvelope(
              Protocols.OWN, 5, Optional.of(REF), ByteString.fromArray(CODEC.encode(inside)));
      ControlSerializers.requireUnread(SERIALIZER, CODEC.encode(envelope));
    }
  }

  /** Builds before protocol 7 sent messages without it. */
  @Test
  void shouldDropAMessageWithoutAnEnvelope() {
    ControlSerializers.requireUnread(SERIALIZER, CODEC.encode(new NameService.Ask("bob", REF)));
  }
}
