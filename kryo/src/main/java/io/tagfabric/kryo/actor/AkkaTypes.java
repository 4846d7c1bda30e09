package io.tagfabric.kryo.actor;

import akka.Done;
import akka.actor.Address;
import akka.actor.ExtendedActorSystem;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.javadsl.Adapter;
import akka.util.ByteString;
import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.tagfabric.kryo.KryoRegistrations;
import java.util.function.UnaryOperator;

/** Akka's classes that travel inside messages, and their numbers. */
final class AkkaTypes {
  private static final int TYPED_REF_ID = 80;
  private static final int CLASSIC_REF_ID = 81;
  private static final int ADDRESS_ID = 82;
  private static final int BYTE_STRING_ID = 83;
  private static final int DONE_ID = 84;

  private final ExtendedActorSystem system;
  private volatile UnaryOperator<ActorRef<Object>> reading = UnaryOperator.identity();

  AkkaTypes(ExtendedActorSystem system) {
    this.system = system;
  }

  /** References that are read become others from now on. */
  void read(UnaryOperator<ActorRef<Object>> newReading) {
    reading = newReading;
  }

  void addTo(KryoRegistrations.Builder builder) {
    builder
        .addFamily(TYPED_REF_ID, ActorRef.class, OfTypedRef::new)
        .addFamily(CLASSIC_REF_ID, akka.actor.ActorRef.class, OfClassicRef::new)
        .add(ADDRESS_ID, Address.class, OfAddress::new)
        .addFamily(BYTE_STRING_ID, ByteString.class, OfByteString::new)
        .addFamily(DONE_ID, Done.class, OfDone::new);
  }

  /** A reference is its path with the address at which other nodes reach it. */
  private final class Refs {
    private ActorRefResolver resolver;

    void write(Output output, ActorRef<?> ref) {
      output.writeString(resolver().toSerializationFormat(ref));
    }

    ActorRef<Object> read(Input input) {
      String path = input.readString();
      if (path == null) {
        throw new IllegalArgumentException("path=null of an actor reference");
      }
      return reading.apply(resolver().resolveActorRef(path));
    }

    /** Late: the codec is made while the system, whose address this needs, is still starting. */
    private ActorRefResolver resolver() {
      if (resolver == null) {
        resolver = ActorRefResolver.get(Adapter.toTyped(system));
      }
      return resolver;
    }
  }

  private final class OfTypedRef extends Serializer<ActorRef<?>> {
    private final Refs refs = new Refs();

    @Override
    public void write(Kryo kryo, Output output, ActorRef<?> ref) {
      refs.write(output, ref);
    }

    @Override
    public ActorRef<?> read(Kryo kryo, Input input, Class<? extends ActorRef<?>> type) {
      return refs.read(input);
    }
  }

  private final class OfClassicRef extends Serializer<akka.actor.ActorRef> {
    private final Refs refs = new Refs();

    @Override
    public void write(Kryo kryo, Output output, akka.actor.ActorRef ref) {
      refs.write(output, Adapter.toTyped(ref));
    }

    @Override
    public akka.actor.ActorRef read(
        Kryo kryo, Input input, Class<? extends akka.actor.ActorRef> type) {
      return Adapter.toClassic(refs.read(input));
    }
  }

  private static final class OfAddress extends Serializer<Address> {
    private static final int NO_PORT = -1;

    @Override
    public void write(Kryo kryo, Output output, Address address) {
      output.writeString(address.protocol());
      output.writeString(address.system());
      output.writeString(address.getHost().orElse(null));
      output.writeVarInt(address.getPort().orElse(NO_PORT) + 1, true);
    }

    @Override
    public Address read(Kryo kryo, Input input, Class<? extends Address> type) {
      String protocol = input.readString();
      String system = input.readString();
      String host = input.readString();
      int port = input.readVarInt(true) - 1;
      if (protocol == null || system == null) {
        throw new IllegalArgumentException(
            "protocol=%s or system=%s of an address is null".formatted(protocol, system));
      }
      return host == null || port == NO_PORT
          ? new Address(protocol, system)
          : new Address(protocol, system, host, port);
    }
  }

  private static final class OfByteString extends Serializer<ByteString> {
    @Override
    public void write(Kryo kryo, Output output, ByteString bytes) {
      output.writeVarInt(bytes.size(), true);
      output.writeBytes(bytes.toArrayUnsafe());
    }

    @Override
    public ByteString read(Kryo kryo, Input input, Class<? extends ByteString> type) {
      return ByteString.fromArrayUnsafe(input.readBytes(input.readVarInt(true)));
    }
  }

  private static final class OfDone extends Serializer<Done> {
    @Override
    public void write(Kryo kryo, Output output, Done done) {
      // Done says nothing but its class.
    }

    @Override
    public Done read(Kryo kryo, Input input, Class<? extends Done> type) {
      return Done.getInstance();
    }
  }
}
