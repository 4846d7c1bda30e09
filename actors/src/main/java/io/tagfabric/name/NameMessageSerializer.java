package io.tagfabric.name;

import akka.actor.ExtendedActorSystem;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.SerializerWithStringManifest;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.name.NameTable.Holding;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Writes {@link NameMessage}s, and an {@link EndpointAddress} that is a message of its own, field
 * by field in {@link DataOutputStream}'s format; the manifest is one letter a message.
 */
public final class NameMessageSerializer extends SerializerWithStringManifest {
  private static final int IDENTIFIER = 643;
  private static final String ADDRESS = "e";
  private static final String CLAIM = "c";
  private static final String VOTE = "v";
  private static final String ASK = "q";
  private static final String ANSWER = "a";
  private static final String HOLDINGS = "h";

  private final ExtendedActorSystem system;

  /** Called by Akka. */
  public NameMessageSerializer(ExtendedActorSystem system) {
    this.system = system;
  }

  @Override
  public int identifier() {
    return IDENTIFIER;
  }

  @Override
  public String manifest(Object o) {
    if (o instanceof NameService.Ask) {
      return ASK;
    } else if (o instanceof NameService.Answer) {
      return ANSWER;
    } else if (o instanceof NameService.Claim) {
      return CLAIM;
    } else if (o instanceof NameService.Vote) {
      return VOTE;
    } else if (o instanceof NameService.Holdings) {
      return HOLDINGS;
    } else if (o instanceof EndpointAddress) {
      return ADDRESS;
    }
    throw new IllegalArgumentException(o.getClass().getName() + " is no message of name services");
  }

  @Override
  public byte[] toBinary(Object o) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      write(o, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private void write(Object o, DataOutputStream out) throws IOException {
    if (o instanceof NameService.Ask ask) {
      key(out, ask.jobKey());
      out.writeUTF(ask.name());
      ref(out, ask.replyTo());
    } else if (o instanceof NameService.Answer answer) {
      out.writeUTF(answer.name());
      address(out, answer.address());
      node(out, answer.node());
      out.writeInt(answer.held().size());
      for (String name : answer.held()) {
        out.writeUTF(name);
      }
    } else if (o instanceof NameService.Claim claim) {
      key(out, claim.jobKey());
      out.writeUTF(claim.name());
      stamp(out, claim.stamp());
      address(out, claim.address());
      ref(out, claim.replyTo());
    } else if (o instanceof NameService.Vote vote) {
      out.writeUTF(vote.name());
      stamp(out, vote.stamp());
      node(out, vote.voter());
      address(out, vote.holder());
    } else if (o instanceof NameService.Holdings holdings) {
      key(out, holdings.jobKey());
      out.writeInt(holdings.holdings().size());
      for (Holding holding : holdings.holdings()) {
        out.writeUTF(holding.name());
        address(out, holding.address());
        stamp(out, holding.stamp());
      }
      ref(out, holdings.replyTo());
    } else if (o instanceof EndpointAddress address) {
      address(out, address);
    }
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      return read(in, manifest);
    } catch (IOException | IllegalArgumentException e) {
      throw new NotSerializableException(
          "bytes of a message between name services ["
              + manifest
              + "] cannot be read: "
              + e.getMessage());
    }
  }

  private Object read(DataInputStream in, String manifest) throws IOException {
    return switch (manifest) {
      case ASK -> new NameService.Ask(key(in), in.readUTF(), ref(in));
      case ANSWER -> new NameService.Answer(in.readUTF(), address(in), node(in), names(in));
      case CLAIM -> new NameService.Claim(key(in), in.readUTF(), stamp(in), address(in), ref(in));
      case VOTE -> new NameService.Vote(in.readUTF(), stamp(in), node(in), address(in));
      case HOLDINGS -> new NameService.Holdings(key(in), holdings(in), ref(in));
      case ADDRESS -> address(in);
      default -> throw new IOException("the manifest is unknown");
    };
  }

  private static void key(DataOutputStream out, UUID key) throws IOException {
    out.writeLong(key.getMostSignificantBits());
    out.writeLong(key.getLeastSignificantBits());
  }

  private static UUID key(DataInputStream in) throws IOException {
    return new UUID(in.readLong(), in.readLong());
  }

  /** Null is written as an empty text. */
  private static void address(DataOutputStream out, EndpointAddress address) throws IOException {
    out.writeUTF(address == null ? "" : address.encode());
  }

  private static EndpointAddress address(DataInputStream in) throws IOException {
    String text = in.readUTF();
    return text.isEmpty() ? null : EndpointAddress.parse(text);
  }

  private static void node(DataOutputStream out, Node node) throws IOException {
    out.writeUTF(node.address());
    out.writeLong(node.incarnation());
  }

  private static Node node(DataInputStream in) throws IOException {
    return new Node(in.readUTF(), in.readLong());
  }

  private static void stamp(DataOutputStream out, Stamp stamp) throws IOException {
    out.writeLong(stamp.time());
    node(out, stamp.node());
  }

  private static Stamp stamp(DataInputStream in) throws IOException {
    return new Stamp(in.readLong(), node(in));
  }

  private void ref(DataOutputStream out, ActorRef<?> ref) throws IOException {
    out.writeUTF(ActorRefResolver.get(Adapter.toTyped(system)).toSerializationFormat(ref));
  }

  private <T> ActorRef<T> ref(DataInputStream in) throws IOException {
    return ActorRefResolver.get(Adapter.toTyped(system)).resolveActorRef(in.readUTF());
  }

  private static List<String> names(DataInputStream in) throws IOException {
    int count = in.readInt();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(in.readUTF());
    }
    return List.copyOf(names);
  }

  private static List<Holding> holdings(DataInputStream in) throws IOException {
    int count = in.readInt();
    List<Holding> holdings = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      holdings.add(new Holding(in.readUTF(), address(in), stamp(in)));
    }
    return List.copyOf(holdings);
  }
}
