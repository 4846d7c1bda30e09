package io.tagfabric.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import java.util.List;
import java.util.function.Function;

/**
 * One class and its number.
 *
 * @param id the number on the wire, or {@link #UNNUMBERED} until all classes are known
 * @param name what nodes compare: the class's name, or a name of ours where the JDK hides the class
 * @param family whether subclasses without a registration of their own are written as this class
 * @param aliases other classes written as this class
 * @param serializerName what nodes compare, or null for the serializer that the class's shape asks
 *     for
 * @param serializer makes a serializer for one Kryo instance, or null as above
 */
record RegisteredClass(
    int id,
    String name,
    Class<?> type,
    boolean family,
    List<Class<?>> aliases,
    String serializerName,
    Function<Kryo, Serializer<?>> serializer) {
  static final int UNNUMBERED = -1;

  static RegisteredClass byShape(int id, Class<?> type) {
    return new RegisteredClass(id, type.getTypeName(), type, false, List.of(), null, null);
  }

  static RegisteredClass by(
      int id,
      Class<?> type,
      boolean family,
      String serializerName,
      Function<Kryo, Serializer<?>> serializer) {
    return new RegisteredClass(
        id, type.getTypeName(), type, family, List.of(), serializerName, serializer);
  }

  RegisteredClass withId(int newId) {
    return new RegisteredClass(newId, name, type, family, aliases, serializerName, serializer);
  }

  Serializer<?> makeSerializer(Kryo kryo) {
    return serializer == null ? kryo.getDefaultSerializer(type) : serializer.apply(kryo);
  }
}
