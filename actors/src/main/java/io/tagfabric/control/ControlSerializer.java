package io.tagfabric.control;

import akka.actor.ExtendedActorSystem;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.SerializerWithStringManifest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * Writes messages field by field in {@link DataOutputStream}'s format; the manifest is one letter a
 * message. Independent of the application's Kryo registrations, which may differ between ranks
 * until they have been compared.
 *
 * <p>Thread: any, as Akka calls it.
 */
public abstract class ControlSerializer extends SerializerWithStringManifest {
  private static final int USUAL_BYTES = 256;

  private final ExtendedActorSystem system;
  private final int identifier;
  private final String what;

  /** Writes one element of a list. */
  @FunctionalInterface
  protected interface ElementWriter<T> {
    /** Writes the fields of an element. */
    void write(DataOutputStream out, T element) throws IOException;
  }

  /** Reads one element of a list. */
  @FunctionalInterface
  protected interface ElementReader<T> {
    /** Reads what the writer has written. */
    T read(DataInputStream in) throws IOException;
  }

  /**
   * A serializer.
   *
   * @param identifier unique in an ActorSystem, the same in all ranks
   * @param what one of its messages is, for error texts
   */
  protected ControlSerializer(ExtendedActorSystem system, int identifier, String what) {
    this.system = system;
    this.identifier = identifier;
    this.what = what;
  }

  /** Writes the fields of a message that {@link #manifest} knows. */
  protected abstract void write(Object message, DataOutputStream out) throws IOException;

  /** Reads the message of a manifest; throws {@link #unknown(String)} for any other. */
  protected abstract Object read(DataInputStream in, String manifest) throws IOException;

  @Override
  public final int identifier() {
    return identifier;
  }

  @Override
  public final byte[] toBinary(Object message) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_BYTES);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      write(message, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  @Override
  public final Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      return read(in, manifest);
    } catch (IOException | IllegalArgumentException e) {
      throw new NotSerializableException(
          "bytes of " + what + " [" + manifest + "] cannot be read: " + e.getMessage());
    }
  }

  /** For an object whose class has no manifest. */
  protected final IllegalArgumentException unknown(Object message) {
    return new IllegalArgumentException(message.getClass().getName() + " is not " + what);
  }

  /** For a manifest that stands for no message. */
  protected static IOException unknown(String manifest) {
    return new IOException("manifest=" + manifest + " is unknown");
  }

  /** Writes a reference that any node can resolve. */
  protected final void ref(DataOutputStream out, ActorRef<?> ref) throws IOException {
    out.writeUTF(resolver().toSerializationFormat(ref));
  }

  /** Reads a reference. */
  protected final <T> ActorRef<T> ref(DataInputStream in) throws IOException {
    return resolver().resolveActorRef(in.readUTF());
  }

  private ActorRefResolver resolver() {
    return ActorRefResolver.get(Adapter.toTyped(system));
  }

  /** Writes a job key. */
  public static void key(DataOutputStream out, UUID key) throws IOException {
    out.writeLong(key.getMostSignificantBits());
    out.writeLong(key.getLeastSignificantBits());
  }

  /** Reads a job key. */
  public static UUID key(DataInputStream in) throws IOException {
    return new UUID(in.readLong(), in.readLong());
  }

  /** Writes the number of elements, then each. */
  protected static <T> void list(
      DataOutputStream out, Collection<T> elements, ElementWriter<T> writer) throws IOException {
    out.writeInt(elements.size());
    for (T element : elements) {
      writer.write(out, element);
    }
  }

  /** Reads what {@link #list(DataOutputStream, Collection, ElementWriter)} has written. */
  protected static <T> List<T> list(DataInputStream in, ElementReader<T> reader)
      throws IOException {
    int count = in.readInt();
    List<T> elements = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      elements.add(reader.read(in));
    }
    return List.copyOf(elements);
  }
}
