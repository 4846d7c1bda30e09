package io.tagfabric.control;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ExtendedActorSystem;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.Serialization;
import akka.serialization.SerializationExtension;
import io.tagfabric.cluster.job.JobKeys;
import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.cluster.settings.Settings;
import java.io.NotSerializableException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;

/** What holds for every {@link ControlSerializer}. */
public final class ControlSerializers {
  private ControlSerializers() {}

  /** The serializer that the configuration of a system names for a message. */
  public static ControlSerializer of(ActorSystem<?> system, Object message) {
    Serialization serialization = SerializationExtension.get(Adapter.toClassic(system));
    return (ControlSerializer) serialization.findSerializerFor(message);
  }

  /** A message arrives as it was, by the serializer that the configuration names for it. */
  public static void requireRoundTrip(
      ActorSystem<?> system, Object message, Class<? extends ControlSerializer> expected) {
    Serialization serialization = SerializationExtension.get(Adapter.toClassic(system));
    ControlSerializer serializer = of(system, message);

    assertThat(serializer).isInstanceOf(expected);
    byte[] bytes = serialization.serialize(message).get();
    Object back =
        serialization
            .deserialize(bytes, serializer.identifier(), serializer.manifest(message))
            .get();
    assertThat(back).isEqualTo(message);
  }

  /** Proven bytes that are too few or too many, or of no message, are dropped. */
  public static void requireRefusal(ActorSystem<?> system, Object message) {
    ControlSerializer serializer = of(system, message);
    byte[] fields = fields(serializer.toBinary(message));
    for (int length = 0; length < fields.length + 2; length++) {
      if (length != fields.length) {
        requireUnread(serializer, Arrays.copyOf(fields, length));
      }
    }
    for (int i = 0; i < 8; i++) {
      byte[] otherHeader = fields.clone();
      otherHeader[i] ^= 0x40;
      requireUnread(serializer, otherHeader);
    }
  }

  /** Bytes of somebody with the key are dropped, as they are no message. */
  public static void requireUnread(ControlSerializer serializer, byte[] fields) {
    long before = serializer.forged();
    try {
      assertThat(serializer.fromBinary(serializer.proven(fields), "")).isSameAs(Dropped.INSTANCE);
    } catch (NotSerializableException e) {
      assertThat(e).hasMessageContaining("[EndpointAddress] cannot be read");
    }
    assertThat(serializer.forged()).isEqualTo(before);
  }

  /** What the bytes of somebody with the key are read as. */
  public static Object read(ControlSerializer serializer, byte[] fields) {
    try {
      return serializer.fromBinary(serializer.proven(fields), "");
    } catch (NotSerializableException e) {
      throw new AssertionError("they are dropped by an exception", e);
    }
  }

  /** Whatever somebody with the key changes in a message, it is dropped or read. */
  public static void requireOneRefusal(ActorSystem<?> system, Object message, Random random) {
    ControlSerializer serializer = of(system, message);
    byte[] fields = fields(serializer.toBinary(message));
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(fields.length);
      fields[at] = (byte) (random.nextBoolean() ? fields[at] ^ 1 << random.nextInt(8) : -1);
    }
    int length = random.nextInt(3) == 0 ? random.nextInt(fields.length + 9) : fields.length;
    try {
      assertThat(serializer.fromBinary(serializer.proven(Arrays.copyOf(fields, length)), ""))
          .isNotNull();
    } catch (NotSerializableException refused) {
      assertThat(refused).hasMessageContaining("cannot be read");
    }
  }

  private static byte[] fields(byte[] bytes) {
    return Arrays.copyOfRange(bytes, KeyProof.BYTES, bytes.length);
  }

  /** Bytes of a message that anybody has changed or cut are dropped and counted. */
  public static void requireProof(ActorSystem<?> system, Object message) {
    ControlSerializer serializer = of(system, message);
    String manifest = serializer.manifest(message);
    byte[] bytes = serializer.toBinary(message);
    for (int i = 0; i < bytes.length; i++) {
      byte[] changed = bytes.clone();
      changed[i] ^= 1;
      requireDropped(serializer, changed, manifest);
    }
    for (int length : List.of(0, KeyProof.BYTES - 1, bytes.length - 1, bytes.length + 1)) {
      requireDropped(serializer, Arrays.copyOf(bytes, length), manifest);
    }
    requireDropped(serializer, bytes, manifest + "?");
  }

  /** A message of another job, or for another purpose, is dropped and counted. */
  public static void requireOwnJob(
      ActorSystem<?> system,
      ActorSystem<?> otherJob,
      Object message,
      Function<ExtendedActorSystem, ControlSerializer> otherPurpose) {
    ControlSerializer serializer = of(system, message);
    String manifest = serializer.manifest(message);
    byte[] bytes = serializer.toBinary(message);
    byte[] fields = fields(bytes);
    assertThat(serializer.proven(fields)).isEqualTo(bytes);

    requireDropped(serializer, of(otherJob, message).proven(fields), manifest);
    ControlSerializer other = otherPurpose.apply((ExtendedActorSystem) Adapter.toClassic(system));
    requireDropped(serializer, other.proven(fields), manifest);
  }

  /** The bytes of a message do not hold the key of the job. */
  public static void requireNoKey(ActorSystem<?> system, Object message) {
    UUID key = JobKeys.of(Settings.of(system.settings().config())).get(0);
    assertThat(key).isNotEqualTo(JobKeys.NO_JOB);
    String sent = HexFormat.of().formatHex(of(system, message).toBinary(message));
    for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
      for (long half : List.of(key.getMostSignificantBits(), key.getLeastSignificantBits())) {
        byte[] bytes = ByteBuffer.allocate(Long.BYTES).order(order).putLong(half).array();
        assertThat(sent).doesNotContain(HexFormat.of().formatHex(bytes));
      }
    }
    assertThat(sent)
        .doesNotContain(HexFormat.of().formatHex(key.toString().getBytes(StandardCharsets.UTF_8)));
  }

  private static void requireDropped(ControlSerializer serializer, byte[] bytes, String manifest) {
    long before = serializer.forged();
    try {
      assertThat(serializer.fromBinary(bytes, manifest)).isSameAs(Dropped.INSTANCE);
    } catch (NotSerializableException e) {
      assertThat(e).hasMessageContaining("does not prove the job's key");
    }
    assertThat(serializer.forged()).isEqualTo(before + 1);
  }
}
