package io.tagfabric.trials.roll;

import akka.actor.ExtendedActorSystem;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.SerializerWithStringManifest;
import io.tagfabric.trials.roll.Talker.Answer;
import io.tagfabric.trials.roll.Talker.Ask;
import io.tagfabric.trials.roll.Talker.Tell;
import java.nio.charset.StandardCharsets;

/** Writes the messages of {@link Talker}s as text, the same with Tagfabric and without it. */
public final class TalkSerializer extends SerializerWithStringManifest {
  static final int IDENTIFIER = 660;

  private final ExtendedActorSystem system;

  /** Called by Akka. */
  public TalkSerializer(ExtendedActorSystem system) {
    this.system = system;
  }

  @Override
  public int identifier() {
    return IDENTIFIER;
  }

  @Override
  public String manifest(Object message) {
    return message instanceof Tell ? "t" : message instanceof Ask ? "q" : "a";
  }

  @Override
  public byte[] toBinary(Object message) {
    String text =
        message instanceof Tell tell
            ? tell.from() + " " + tell.number()
            : message instanceof Ask ask
                ? ask.id() + " " + resolver().toSerializationFormat(ask.replyTo())
                : Long.toString(((Answer) message).id());
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) {
    String[] words = new String(bytes, StandardCharsets.UTF_8).split(" ", 2);
    return switch (manifest) {
      case "t" -> new Tell(words[0], Long.parseLong(words[1]));
      case "q" -> new Ask(Long.parseLong(words[0]), resolver().resolveActorRef(words[1]));
      case "a" -> new Answer(Long.parseLong(words[0]));
      default -> throw new IllegalArgumentException("manifest [" + manifest + "] is unknown");
    };
  }

  private ActorRefResolver resolver() {
    return ActorRefResolver.get(Adapter.toTyped(system));
  }
}
