package io.tagfabric.control;

import akka.actor.ExtendedActorSystem;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.SerializerWithStringManifest;
import io.tagfabric.address.OneLine;
import io.tagfabric.cluster.job.JobKeys;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.progress.WarningRate;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes messages field by field in {@link DataOutputStream}'s format; the manifest is one letter a
 * message. Independent of the application's Kryo registrations, which may differ between ranks
 * until they have been compared.
 *
 * <p>The fields follow a {@link KeyProof} over the manifest and them, by the key of the job that
 * the system's settings name. Bytes whose proof does not hold are counted and not looked at any
 * further: their sender is not of the job, and gets no answer.
 *
 * <p>Thread: any, as Akka calls it.
 */
public abstract class ControlSerializer extends SerializerWithStringManifest {
  private static final Logger LOG = LoggerFactory.getLogger(ControlSerializer.class);
  private static final int USUAL_BYTES = 256;

  private final ExtendedActorSystem system;
  private final int identifier;
  private final String what;
  private final String purpose;
  private final AtomicLong forged = new AtomicLong();
  private final WarningRate warnings = new WarningRate(LOG::warn, TimeSource.SYSTEM);
  private volatile KeyProof proofs;

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
   * @param purpose tells the proofs of its messages from others by the same key
   */
  protected ControlSerializer(
      ExtendedActorSystem system, int identifier, String what, String purpose) {
    this.system = system;
    this.identifier = identifier;
    this.what = what;
    this.purpose = purpose;
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
    return proven(manifest(message), bytes.toByteArray());
  }

  /** The fields of a message behind the proof of the job's key. */
  final byte[] proven(String manifest, byte[] fields) {
    byte[] proof = proofs().over(KeyProof.part(manifest), fields);
    byte[] bytes = Arrays.copyOf(proof, KeyProof.BYTES + fields.length);
    System.arraycopy(fields, 0, bytes, KeyProof.BYTES, fields.length);
    return bytes;
  }

  @Override
  public final Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
    byte[] fields =
        bytes.length < KeyProof.BYTES
            ? null
            : Arrays.copyOfRange(bytes, KeyProof.BYTES, bytes.length);
    if (fields == null
        || !proofs().holds(Arrays.copyOf(bytes, KeyProof.BYTES), KeyProof.part(manifest), fields)) {
      forged.incrementAndGet();
      warnings.warn(
          () ->
              what
                  + " ["
                  + OneLine.of(manifest)
                  + "] does not prove the job's key and is dropped; if a rank sent it, give all"
                  + " ranks the same "
                  + JobSettings.KEY.fullKey());
      return forged(manifest);
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(fields))) {
      return read(in, manifest);
    } catch (IOException | IllegalArgumentException e) {
      throw new NotSerializableException(
          "bytes of " + what + " [" + manifest + "] cannot be read: " + e.getMessage());
    }
  }

  /**
   * What a message becomes that does not prove the job's key; {@link #fromBinary} gives it back.
   *
   * @throws NotSerializableException where it might reach an actor of the application
   */
  protected Object forged(String manifest) throws NotSerializableException {
    return Forged.INSTANCE;
  }

  /** Messages so far that did not prove the job's key. */
  public final long forged() {
    return forged.get();
  }

  /** Not before the first message: reading settings may fail, and Akka makes serializers early. */
  private KeyProof proofs() {
    KeyProof known = proofs;
    if (known == null) {
      known = new KeyProof(JobKeys.of(Settings.of(system.settings().config())), purpose);
      proofs = known;
    }
    return known;
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
