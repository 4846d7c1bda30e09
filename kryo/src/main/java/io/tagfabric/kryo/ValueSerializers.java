package io.tagfabric.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.AbstractMap;
import java.util.EnumMap;
import java.util.Map;

/** Classes of the JDK that Kryo has no serializer for, and whose fields are closed. */
final class ValueSerializers {
  private static final int IPV4_BYTES = 4;
  private static final int IPV6_BYTES = 16;

  private ValueSerializers() {}

  /** The class of the keys, a count, and the entries. */
  static final class OfEnumMap extends Serializer<EnumMap<?, Object>> {
    @Override
    public void write(Kryo kryo, Output output, EnumMap<?, Object> map) {
      kryo.writeClass(output, ((StrictKryo) kryo).keysOf(map));
      ContainerSerializers.write(kryo, output, map);
    }

    @Override
    @SuppressWarnings({
      "rawtypes",
      "unchecked"
    }) // The class of the keys is known to the bytes only.
    public EnumMap<?, Object> read(
        Kryo kryo, Input input, Class<? extends EnumMap<?, Object>> type) {
      Registration keys = kryo.readClass(input);
      if (keys == null || !keys.getType().isEnum()) {
        throw new Refusal("the keys of an EnumMap are of no enum");
      }
      int count = BoundedInput.claim(input, input.readVarInt(true), 2);
      EnumMap map = new EnumMap(keys.getType());
      ContainerSerializers.readEntries(kryo, input, count, map);
      return map;
    }
  }

  private static void write(Kryo kryo, Output output, Map.Entry<?, ?> entry) {
    kryo.writeClassAndObject(output, entry.getKey());
    kryo.writeClassAndObject(output, entry.getValue());
  }

  /** An entry whose value can be set. */
  static final class OfEntry extends Serializer<Map.Entry<?, ?>> {
    @Override
    public void write(Kryo kryo, Output output, Map.Entry<?, ?> entry) {
      ValueSerializers.write(kryo, output, entry);
    }

    @Override
    public Map.Entry<?, ?> read(Kryo kryo, Input input, Class<? extends Map.Entry<?, ?>> type) {
      Object key = kryo.readClassAndObject(input);
      return new AbstractMap.SimpleEntry<>(key, kryo.readClassAndObject(input));
    }
  }

  /** Any other entry. */
  static final class OfImmutableEntry extends Serializer<Map.Entry<?, ?>> {
    @Override
    public void write(Kryo kryo, Output output, Map.Entry<?, ?> entry) {
      ValueSerializers.write(kryo, output, entry);
    }

    @Override
    public Map.Entry<?, ?> read(Kryo kryo, Input input, Class<? extends Map.Entry<?, ?>> type) {
      Object key = kryo.readClassAndObject(input);
      return new AbstractMap.SimpleImmutableEntry<>(key, kryo.readClassAndObject(input));
    }
  }

  /** The address alone: what a host calls itself need not be true elsewhere. */
  static final class OfInetAddress extends Serializer<InetAddress> {
    @Override
    public void write(Kryo kryo, Output output, InetAddress address) {
      byte[] bytes = address.getAddress();
      output.writeByte(bytes.length);
      output.writeBytes(bytes);
    }

    @Override
    public InetAddress read(Kryo kryo, Input input, Class<? extends InetAddress> type) {
      int length = input.readByte();
      if (length != IPV4_BYTES && length != IPV6_BYTES) {
        throw new Refusal(
            "addressBytes=%d are neither %d nor %d".formatted(length, IPV4_BYTES, IPV6_BYTES));
      }
      try {
        return InetAddress.getByAddress(input.readBytes(length));
      } catch (UnknownHostException ofAnotherLength) {
        throw new IllegalStateException(ofAnotherLength);
      }
    }
  }
}
