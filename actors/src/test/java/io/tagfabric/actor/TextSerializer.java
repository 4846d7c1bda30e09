package io.tagfabric.actor;

import akka.actor.ExtendedActorSystem;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.SerializerWithStringManifest;
import java.nio.charset.StandardCharsets;

/** A serializer as applications write them: references as Akka's resolver writes them. */
public final class TextSerializer extends SerializerWithStringManifest {
  /** Any message of these. */
  interface Text {}

  /** A question in words. */
  record Question(String text, ActorRef<Answer> replyTo) implements Text {}

  /** Its answer. */
  record Answer(String text) implements Text {}

  static final String CONFIG =
      """
      akka.actor {
        serializers.text = "io.tagfabric.actor.TextSerializer"
        serialization-bindings."io.tagfabric.actor.TextSerializer$Text" = text
      }
      """;

  private final ActorRefResolver resolver;

  /** Called by Akka. */
  public TextSerializer(ExtendedActorSystem system) {
    resolver = ActorRefResolver.get(Adapter.toTyped(system));
  }

  @Override
  public int identifier() {
    return 4711;
  }

  @Override
  public String manifest(Object message) {
    return message instanceof Question ? "Q" : "A";
  }

  @Override
  public byte[] toBinary(Object message) {
    String text =
        message instanceof Question question
            ? resolver.toSerializationFormat(question.replyTo) + '\n' + question.text
            : ((Answer) message).text;
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (manifest.equals("A")) {
      return new Answer(text);
    }
    int end = text.indexOf('\n');
    return new Question(text.substring(end + 1), resolver.resolveActorRef(text.substring(0, end)));
  }
}
