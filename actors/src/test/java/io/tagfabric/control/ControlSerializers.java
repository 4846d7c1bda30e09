package io.tagfabric.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.Serialization;
import akka.serialization.SerializationExtension;
import akka.serialization.SerializerWithStringManifest;
import java.io.NotSerializableException;
import java.util.List;

/** What holds for every {@link ControlSerializer}. */
public final class ControlSerializers {
  private ControlSerializers() {}

  /** A message arrives as it was, by the serializer that the configuration names for it. */
  public static void requireRoundTrip(
      ActorSystem<?> system, Object message, Class<? extends ControlSerializer> expected) {
    Serialization serialization = SerializationExtension.get(Adapter.toClassic(system));
    SerializerWithStringManifest serializer =
        (SerializerWithStringManifest) serialization.findSerializerFor(message);

    assertThat(serializer).isInstanceOf(expected);
    byte[] bytes = serialization.serialize(message).get();
    Object back =
        serialization
            .deserialize(bytes, serializer.identifier(), serializer.manifest(message))
            .get();
    assertThat(back).isEqualTo(message);
  }

  /** Bytes that are too few, and manifests that are none, are refused by name. */
  public static void requireRefusal(ControlSerializer serializer, List<String> manifests) {
    for (String manifest : manifests) {
      assertThatThrownBy(() -> serializer.fromBinary(new byte[] {0}, manifest))
          .isInstanceOf(NotSerializableException.class)
          .hasMessageContaining("[" + manifest + "]");
    }
  }
}
