package io.tagfabric.bench.ours;

import akka.actor.ExtendedActorSystem;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.ByteBufferSerializer;
import akka.serialization.SerializerWithStringManifest;
import io.tagfabric.bench.ours.ActorMessage.Answer;
import io.tagfabric.bench.ours.ActorMessage.Body;
import io.tagfabric.bench.ours.ActorMessage.Open;
import io.tagfabric.bench.ours.ActorMessage.Question;
import io.tagfabric.bench.ours.ActorMessage.Shot;
import io.tagfabric.bench.ours.ActorMessage.State;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Writes the {@link ActorMessage}s that travel, references as Akka's resolver writes them; the same
 * over both roads.
 */
public final class ActorMessageSerializer extends SerializerWithStringManifest
    implements ByteBufferSerializer {
  private static final int IDENTIFIER = 658;
  private static final int MOST_BYTES = 1 << 17;

  private final ExtendedActorSystem system;
  private ActorRefResolver resolver;

  /** Called by Akka. */
  public ActorMessageSerializer(ExtendedActorSystem system) {
    this.system = system;
  }

  @Override
  public int identifier() {
    return IDENTIFIER;
  }

  @Override
  public String manifest(Object message) {
    if (message instanceof Question) {
      return "q";
    } else if (message instanceof Answer) {
      return "a";
    } else if (message instanceof Open) {
      return "o";
    }
    return message instanceof State ? "s" : "";
  }

  @Override
  public void toBinary(Object message, ByteBuffer to) {
    if (message instanceof Question question) {
      write(to, question.byAkka(), question.replyTo());
      to.put(question.body().bytes());
    } else if (message instanceof Answer answer) {
      to.put(answer.body().bytes());
    } else if (message instanceof Open open) {
      write(to, open.byAkka(), open.replyTo());
      to.putInt(open.half());
    } else if (message instanceof State state) {
      to.put((byte) (state.isHalf() ? 1 : 0)).putLong(state.received()).putLong(state.cpuNs());
    } else {
      to.put(((Shot) message).body().bytes());
    }
  }

  private void write(ByteBuffer to, boolean byAkka, ActorRef<ActorMessage> ref) {
    byte[] path = resolver().toSerializationFormat(ref).getBytes(StandardCharsets.ISO_8859_1);
    to.put((byte) (byAkka ? 1 : 0)).putShort((short) path.length).put(path);
  }

  @Override
  public byte[] toBinary(Object message) {
    ByteBuffer buffer = ByteBuffer.allocate(MOST_BYTES);
    toBinary(message, buffer);
    byte[] bytes = new byte[buffer.position()];
    buffer.flip().get(bytes);
    return bytes;
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) {
    return fromBinary(ByteBuffer.wrap(bytes), manifest);
  }

  @Override
  public Object fromBinary(ByteBuffer from, String manifest) {
    return switch (manifest) {
      case "q" -> question(from);
      case "a" -> new Answer(rest(from));
      case "o" -> open(from);
      case "s" -> new State(from.get() != 0, from.getLong(), from.getLong());
      default -> new Shot(rest(from));
    };
  }

  private Question question(ByteBuffer from) {
    boolean byAkka = from.get() != 0;
    ActorRef<ActorMessage> replyTo = readRef(from, byAkka);
    return new Question(byAkka, rest(from), replyTo);
  }

  private Open open(ByteBuffer from) {
    boolean byAkka = from.get() != 0;
    ActorRef<ActorMessage> replyTo = readRef(from, byAkka);
    return new Open(byAkka, from.getInt(), replyTo);
  }

  private ActorRef<ActorMessage> readRef(ByteBuffer from, boolean byAkka) {
    byte[] path = new byte[from.getShort()];
    from.get(path);
    String text = new String(path, StandardCharsets.ISO_8859_1);
    return byAkka
        ? Adapter.toTyped(system.provider().resolveActorRef(text))
        : resolver().resolveActorRef(text);
  }

  private static Body rest(ByteBuffer from) {
    byte[] bytes = new byte[from.remaining()];
    from.get(bytes);
    return new Body(bytes);
  }

  private ActorRefResolver resolver() {
    if (resolver == null) {
      resolver = ActorRefResolver.get(Adapter.toTyped(system));
    }
    return resolver;
  }
}
