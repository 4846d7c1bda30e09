package io.tagfabric.name;

import akka.actor.ExtendedActorSystem;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.control.ControlCodec;
import io.tagfabric.control.ControlSerializer;
import java.io.NotSerializableException;

/** Writes {@link NameMessage}s, and an {@link EndpointAddress} that is a message of its own. */
@InternalApi
public final class NameMessageSerializer extends ControlSerializer {
  private static final int IDENTIFIER = 643;

  /** Called by Akka. */
  public NameMessageSerializer(ExtendedActorSystem system) {
    super(
        system,
        IDENTIFIER,
        "a message between name services",
        "tagfabric names",
        NameMessageSerializer::messages);
  }

  private static ControlCodec.Builder messages(ControlCodec.Builder table) {
    return table
        .as(
            EndpointAddress.class,
            String.class,
            NameMessageSerializer::text,
            NameMessageSerializer::address)
        .message(40, NameService.Ask.class)
        .message(41, NameService.Answer.class)
        .message(42, NameService.Claim.class)
        .message(43, NameService.Vote.class)
        .message(44, NameService.Holdings.class)
        .message(45, EndpointAddress.class)
        .message(46, NameService.Enquiry.class)
        .message(47, NameService.Finding.class);
  }

  /** An address may be on its way to an actor of the application, which expects nothing else. */
  @Override
  protected Object forged(String name) throws NotSerializableException {
    if (name.equals(EndpointAddress.class.getSimpleName())) {
      throw new NotSerializableException("an address of an endpoint does not prove the job's key");
    }
    return super.forged(name);
  }

  /** No address is an empty text. */
  private static String text(EndpointAddress address) {
    return address == null ? "" : address.encode();
  }

  private static EndpointAddress address(String text) {
    return text.isEmpty() ? null : EndpointAddress.parse(text);
  }
}
