package io.tagfabric.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorSystem;
import akka.actor.ExtendedActorSystem;
import akka.testkit.javadsl.TestKit;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.cluster.control.ControlCodec;
import io.tagfabric.job.JobMessageSerializer;
import io.tagfabric.name.NameMessageSerializer;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import uk.co.real_logic.sbe.ir.Ir;
import uk.co.real_logic.sbe.ir.Signal;
import uk.co.real_logic.sbe.ir.Token;
import uk.co.real_logic.sbe.otf.AbstractTokenListener;
import uk.co.real_logic.sbe.otf.OtfMessageDecoder;
import uk.co.real_logic.sbe.xml.IrGenerator;
import uk.co.real_logic.sbe.xml.ParserOptions;
import uk.co.real_logic.sbe.xml.XmlSchemaParser;

/** Control messages are what {@code control.xml} says, as SBE's own tool reads it. */
class ControlSchemaTest {
  private static ExtendedActorSystem system;

  @BeforeAll
  static void start() {
    system = (ExtendedActorSystem) ActorSystem.create("schema");
  }

  @AfterAll
  static void stop() {
    TestKit.shutdownActorSystem(system);
  }

  private static final Path SCHEMA =
      Modules.sourcesOf("cluster-config").resolveSibling("sbe/control.xml");

  private static Ir schema() throws Exception {
    try (InputStream in = Files.newInputStream(SCHEMA)) {
      ParserOptions strict = ParserOptions.builder().stopOnError(true).build();
      return new IrGenerator().generate(XmlSchemaParser.parse(in, strict));
    }
  }

  private static ControlCodec constant(String type, String name)
      throws ReflectiveOperationException {
    Field field = Class.forName(type).getDeclaredField(name);
    field.setAccessible(true);
    return (ControlCodec) field.get(null);
  }

  private static List<String> fields(List<Token> tokens) {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < tokens.size(); i += tokens.get(i).componentTokenCount()) {
      Token token = tokens.get(i);
      Token type = tokens.get(Math.min(i + 1, tokens.size() - 1));
      if (token.signal() == Signal.BEGIN_FIELD) {
        fields.add(
            token.name()
                + " "
                + (type.signal() == Signal.BEGIN_ENUM
                    ? "BOOLEAN"
                    : type.encoding().primitiveType().name()));
      } else if (token.signal() == Signal.BEGIN_VAR_DATA) {
        fields.add(token.name() + (type.name().equals("varText") ? " TEXT" : " BYTES"));
      } else if (token.signal() == Signal.BEGIN_GROUP) {
        int end = i + token.componentTokenCount() - 1;
        fields.add(
            token.name() + " " + fields(tokens.subList(i + 1 + type.componentTokenCount(), end)));
      }
    }
    return fields;
  }

  @Test
  void shouldBeTheLayoutOfAllControlMessages() throws Exception {
    Map<String, List<String>> described = new TreeMap<>();
    for (List<Token> message : schema().messages()) {
      Token name = message.get(0);
      described.put(name.id() + " " + name.name(), fields(message.subList(1, message.size() - 1)));
    }

    Map<String, List<String>> written = new TreeMap<>();
    for (ControlCodec codec :
        List.of(
            constant("io.tagfabric.launch.agent.AgentFrame", "BODIES"),
            constant("io.tagfabric.collective.run.ControlMessage", "CODEC"),
            constant("io.tagfabric.actor.RefMessage", "CODEC"),
            new JobMessageSerializer(system).codec(),
            new NameMessageSerializer(system).codec())) {
      written.putAll(codec.layouts());
    }

    assertThat(written).isEqualTo(described);
  }

  @Test
  void shouldBeHowAMessageIsRead() throws Exception {
    EndpointAddress address = new EndpointAddress(-5, 1, "rank-1", "akka://t@h:1", "vm", Map.of());
    byte[] bytes = new NameMessageSerializer(system).codec().encode(address);
    StringBuilder text = new StringBuilder();

    int end =
        OtfMessageDecoder.decode(
            new UnsafeBuffer(bytes),
            8,
            1,
            0,
            schema().getMessage(45),
            new AbstractTokenListener() {
              @Override
              public void onVarData(
                  Token field, DirectBuffer buffer, int index, int length, Token type) {
                text.append(field.name()).append('=');
                text.append(buffer.getStringWithoutLengthUtf8(index, length));
              }
            });

    assertThat(end).isEqualTo(bytes.length);
    assertThat(text).hasToString("value=" + address.encode());
  }
}
