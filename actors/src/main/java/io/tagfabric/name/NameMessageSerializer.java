package io.tagfabric.name;

import akka.actor.ExtendedActorSystem;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.control.ControlSerializer;
import io.tagfabric.name.NameTable.Holding;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;

/** Writes {@link NameMessage}s, and an {@link EndpointAddress} that is a message of its own. */
@InternalApi
public final class NameMessageSerializer extends ControlSerializer {
  private static final int IDENTIFIER = 643;
  private static final String ADDRESS = "e";
  private static final String CLAIM = "c";
  private static final String VOTE = "v";
  private static final String ASK = "q";
  private static final String ANSWER = "a";
  private static final String HOLDINGS = "h";

  /** Called by Akka. */
  public NameMessageSerializer(ExtendedActorSystem system) {
    super(system, IDENTIFIER, "a message between name services", "tagfabric names");
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
    throw unknown(o);
  }

  @Override
  protected void write(Object o, DataOutputStream out) throws IOException {
    if (o instanceof NameService.Ask ask) {
      out.writeUTF(ask.name());
      ref(out, ask.replyTo());
    } else if (o instanceof NameService.Answer answer) {
      out.writeUTF(answer.name());
      address(out, answer.address());
      node(out, answer.node());
      list(out, answer.held(), DataOutputStream::writeUTF);
    } else if (o instanceof NameService.Claim claim) {
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
      list(out, holdings.holdings(), NameMessageSerializer::holding);
      ref(out, holdings.replyTo());
    } else if (o instanceof EndpointAddress address) {
      address(out, address);
    }
  }

  @Override
  protected Object read(DataInputStream in, String manifest) throws IOException {
    return switch (manifest) {
      case ASK -> new NameService.Ask(in.readUTF(), ref(in));
      case ANSWER ->
          new NameService.Answer(in.readUTF(), address(in), node(in), list(in, DataInput::readUTF));
      case CLAIM -> new NameService.Claim(in.readUTF(), stamp(in), address(in), ref(in));
      case VOTE -> new NameService.Vote(in.readUTF(), stamp(in), node(in), address(in));
      case HOLDINGS -> new NameService.Holdings(list(in, NameMessageSerializer::holding), ref(in));
      case ADDRESS -> address(in);
      default -> throw unknown(manifest);
    };
  }

  /** An address may be on its way to an actor of the application, which expects nothing else. */
  @Override
  protected Object forged(String manifest) throws NotSerializableException {
    if (manifest.equals(ADDRESS)) {
      throw new NotSerializableException("an address of an endpoint does not prove the job's key");
    }
    return super.forged(manifest);
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

  private static void holding(DataOutputStream out, Holding holding) throws IOException {
    out.writeUTF(holding.name());
    address(out, holding.address());
    stamp(out, holding.stamp());
  }

  private static Holding holding(DataInputStream in) throws IOException {
    return new Holding(in.readUTF(), address(in), stamp(in));
  }
}
