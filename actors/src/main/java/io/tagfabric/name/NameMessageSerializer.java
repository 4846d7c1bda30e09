package io.tagfabric.name;

import akka.actor.ExtendedActorSystem;
import akka.util.ByteString;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.address.Protocols;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.control.ControlCodec;
import io.tagfabric.control.ControlSerializer;
import io.tagfabric.runtime.Environment;
import java.io.NotSerializableException;

/**
 * Writes {@link NameMessage}s in a {@link NameEnvelope}, and without one a {@link
 * NameService.Refusal} and an {@link EndpointAddress} that is a message of its own.
 *
 * <p>The body of an envelope is not read if its sender has no protocol in common with this node: a
 * question becomes a {@link NameService.Unreadable}, and what is none is dropped.
 */
@InternalApi
public final class NameMessageSerializer extends ControlSerializer {
  private static final int IDENTIFIER = 643;

  private final Protocols protocols;

  /** Called by Akka. */
  public NameMessageSerializer(ExtendedActorSystem system) {
    super(
        system,
        IDENTIFIER,
        "a message between name services",
        "tagfabric names",
        NameMessageSerializer::messages);
    protocols = Environment.of(system).protocols();
  }

  private static ControlCodec.Builder messages(ControlCodec.Builder table) {
    return table
        .as(
            EndpointAddress.class,
            String.class,
            NameMessageSerializer::text,
            NameMessageSerializer::address)
        .as(ByteString.class, byte[].class, ByteString::toArrayUnsafe, ByteString::fromArrayUnsafe)
        .message(40, NameService.Ask.class)
        .message(41, NameService.Answer.class)
        .message(42, NameService.Claim.class)
        .message(43, NameService.Vote.class)
        .message(44, NameService.Holdings.class)
        .message(45, EndpointAddress.class)
        .message(46, NameService.Enquiry.class)
        .message(47, NameService.Finding.class)
        .message(48, NameEnvelope.class)
        .message(49, NameService.Refusal.class);
  }

  @Override
  protected byte[] encode(Object message) {
    byte[] bytes = super.encode(message);
    return travelsBare(message)
        ? bytes
        : super.encode(NameEnvelope.of(protocols, message, ByteString.fromArrayUnsafe(bytes)));
  }

  private static boolean travelsBare(Object message) {
    return message instanceof NameService.Refusal || message instanceof EndpointAddress;
  }

  @Override
  protected Object decode(byte[] bytes, int from) {
    Object read = super.decode(bytes, from);
    if (travelsBare(read)) {
      return read;
    }
    if (!(read instanceof NameEnvelope envelope)) {
      throw new IllegalArgumentException("it does not say which protocols its sender speaks");
    }
    if (protocols.common(envelope.protocols()).isEmpty()) {
      return unreadable(envelope);
    }
    Object body = super.decode(envelope.body().toArrayUnsafe(), 0);
    if (!(body instanceof NameMessage) || travelsBare(body)) {
      throw new IllegalArgumentException("there is no message of name services in it");
    }
    return body;
  }

  private NameService.Unreadable unreadable(NameEnvelope envelope) {
    return new NameService.Unreadable(
        envelope.protocols(),
        envelope.number(),
        envelope
            .replyTo()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "its sender speaks protocol="
                            + envelope.protocols()
                            + ", this node protocol="
                            + protocols)));
  }

  /** An address may be on its way to an actor of the application, which expects nothing else. */
  @Override
  protected Object dropped(String name, String why) throws NotSerializableException {
    if (name.equals(EndpointAddress.class.getSimpleName())) {
      throw new NotSerializableException("an address of an endpoint: " + why);
    }
    return super.dropped(name, why);
  }

  /** No address is an empty text. */
  private static String text(EndpointAddress address) {
    return address == null ? "" : address.encode();
  }

  private static EndpointAddress address(String text) {
    return text.isEmpty() ? null : EndpointAddress.parse(text);
  }
}
