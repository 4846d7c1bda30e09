package io.tagfabric.control;

import akka.actor.ExtendedActorSystem;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.SerializerWithStringManifest;
import io.tagfabric.cluster.control.ControlCodec;
import io.tagfabric.cluster.job.JobKeys;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.progress.WarningRate;
import io.tagfabric.runtime.Environment;
import io.tagfabric.runtime.Mail;
import java.io.NotSerializableException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes messages by a {@link ControlCodec}. Independent of the application's Kryo registrations,
 * which may differ between ranks until they have been compared.
 *
 * <p>Before the message is a {@link KeyProof} over all its bytes, by the first key of the job that
 * the system's settings name; one by any of its keys is taken. Bytes whose proof does not hold are
 * counted and not decoded: their sender is not of the job, and gets no answer. Bytes that prove it
 * and cannot be read are of another build; they are dropped as well. A warning tells of both, once
 * a second at most, where Akka would write a stack trace for each.
 *
 * <p>Thread: any, as Akka calls it.
 */
public abstract class ControlSerializer extends SerializerWithStringManifest {
  private static final Logger LOG = LoggerFactory.getLogger(ControlSerializer.class);
  private static final String NO_MANIFEST = "";

  private final ExtendedActorSystem system;
  private final int identifier;
  private final String what;
  private final String purpose;
  private final ControlCodec codec;
  private final AtomicLong forged = new AtomicLong();
  private final WarningRate warnings;
  private volatile KeyProof proofs;

  /**
   * A serializer.
   *
   * @param identifier unique in an ActorSystem, the same in all ranks
   * @param what one of its messages is, for error texts
   * @param purpose tells the proofs of its messages from others by the same key
   * @param table the messages; references to actors are added here
   */
  protected ControlSerializer(
      ExtendedActorSystem system,
      int identifier,
      String what,
      String purpose,
      UnaryOperator<ControlCodec.Builder> table) {
    this.system = system;
    this.identifier = identifier;
    this.what = what;
    this.purpose = purpose;
    warnings = new WarningRate(LOG::warn, Environment.of(system).time());
    codec =
        table
            .apply(
                ControlCodec.of(what).as(ActorRef.class, String.class, this::write, this::resolve))
            .build();
  }

  @Override
  public final int identifier() {
    return identifier;
  }

  /** None: the bytes say which message they are. */
  @Override
  public final String manifest(Object message) {
    return NO_MANIFEST;
  }

  @Override
  public final byte[] toBinary(Object message) {
    return proven(encode(message));
  }

  /** The bytes that are proven. */
  protected byte[] encode(Object message) {
    return codec.encode(message);
  }

  /**
   * The message of proven bytes.
   *
   * @throws IllegalArgumentException if they are none
   */
  protected Object decode(byte[] bytes, int from) {
    return codec.decode(bytes, from);
  }

  /** A message behind the proof of the job's key. */
  final byte[] proven(byte[] message) {
    byte[] proof = proofs().over(message);
    byte[] bytes = Arrays.copyOf(proof, KeyProof.BYTES + message.length);
    System.arraycopy(message, 0, bytes, KeyProof.BYTES, message.length);
    return bytes;
  }

  /**
   * The message.
   *
   * @return what no actor handles, if the bytes do not prove the job's key or are no message
   * @throws NotSerializableException instead, where it might reach an actor of the application
   */
  @Override
  public final Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
    if (!manifest.equals(NO_MANIFEST) || !isProven(bytes)) {
      String name = codec.nameOf(bytes, KeyProof.BYTES);
      forged.incrementAndGet();
      warnings.warn(
          () ->
              what
                  + " ["
                  + name
                  + "] does not prove the job's key and is dropped; if a rank sent it, give all"
                  + " ranks the same "
                  + JobSettings.KEY.fullKey());
      return dropped(name, "it does not prove the job's key");
    }
    try {
      return decode(bytes, KeyProof.BYTES);
    } catch (IllegalArgumentException e) {
      String name = codec.nameOf(bytes, KeyProof.BYTES);
      String why = what + " [" + name + "] cannot be read: " + e.getMessage();
      warnings.warn(() -> why + "; it is dropped, run builds of Tagfabric that fit everywhere");
      return dropped(name, why);
    }
  }

  private boolean isProven(byte[] bytes) {
    return bytes.length >= KeyProof.BYTES
        && proofs()
            .holds(
                Arrays.copyOf(bytes, KeyProof.BYTES),
                Arrays.copyOfRange(bytes, KeyProof.BYTES, bytes.length));
  }

  /**
   * What a message becomes that is dropped; {@link #fromBinary} gives it back.
   *
   * @param name of the message that it pretends to be
   * @param why it is dropped
   * @throws NotSerializableException where it might reach an actor of the application
   */
  protected Object dropped(String name, String why) throws NotSerializableException {
    return Dropped.INSTANCE;
  }

  /** Messages so far that did not prove the job's key. */
  public final long forged() {
    return forged.get();
  }

  /** Not before the first message: reading settings may fail, and Akka makes serializers early. */
  private KeyProof proofs() {
    KeyProof known = proofs;
    if (known == null) {
      known = new KeyProof(JobKeys.of(settings()), purpose);
      proofs = known;
    }
    return known;
  }

  /** What the messages look like as bytes. */
  public final ControlCodec codec() {
    return codec;
  }

  private String write(ActorRef<?> ref) {
    return mail().write(ref);
  }

  private ActorRef<?> resolve(String text) {
    return mail().read(text);
  }

  private Settings settings() {
    return Settings.of(system.settings().config(), Environment.of(system).variables());
  }

  private Mail mail() {
    return Environment.of(system).mail(Adapter.toTyped(system));
  }
}
