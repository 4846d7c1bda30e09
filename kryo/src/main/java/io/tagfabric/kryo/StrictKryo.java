package io.tagfabric.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.serializers.DefaultSerializers;
import com.esotericsoftware.kryo.util.DefaultInstantiatorStrategy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import org.objenesis.strategy.StdInstantiatorStrategy;

/**
 * A Kryo that writes and reads registered classes only.
 *
 * <p>References and generics stay off: both keep stacks that an exception leaves half full, and
 * references hand a record's own unfinished self to its components as null without a word.
 */
final class StrictKryo extends Kryo {
  private final StrictClassResolver resolver;
  private final List<Registration> families = new ArrayList<>();

  StrictKryo(int maxDepth) {
    this(new StrictClassResolver(), maxDepth);
  }

  private StrictKryo(StrictClassResolver resolver, int maxDepth) {
    super(resolver, null);
    this.resolver = resolver;
    setRegistrationRequired(true);
    setOptimizedGenerics(false);
    setMaxDepth(maxDepth);
    setInstantiatorStrategy(new DefaultInstantiatorStrategy(new StdInstantiatorStrategy()));
    addDefaultSerializer(boolean[].class, new ContainerSerializers.OfBooleans());
    addDefaultSerializer(Object[].class, new ContainerSerializers.OfObjects());
    addDefaultSerializer(Collection.class, new ContainerSerializers.OfCollection());
    addDefaultSerializer(TreeSet.class, DefaultSerializers.TreeSetSerializer.class);
    addDefaultSerializer(PriorityQueue.class, DefaultSerializers.PriorityQueueSerializer.class);
    addDefaultSerializer(EnumSet.class, DefaultSerializers.EnumSetSerializer.class);
    addDefaultSerializer(Map.class, new ContainerSerializers.OfMap());
    addDefaultSerializer(TreeMap.class, DefaultSerializers.TreeMapSerializer.class);
    addDefaultSerializer(
        ConcurrentSkipListMap.class, DefaultSerializers.ConcurrentSkipListMapSerializer.class);
  }

  /** Takes over one registration, with a serializer of its own for this instance. */
  Serializer<?> add(RegisteredClass registered) {
    Serializer<?> serializer = registered.makeSerializer(this);
    Registration registration =
        register(new Registration(registered.type(), serializer, registered.id()));
    for (Class<?> alias : registered.aliases()) {
      resolver.alias(alias, registration);
    }
    if (registered.family()) {
      families.add(registration);
    }
    return serializer;
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Registration getRegistration(Class type) {
    Registration registration = resolver.getRegistration(type);
    return registration != null ? registration : inherited(type);
  }

  private Registration inherited(Class<?> type) {
    Registration registration = ofEnum(type);
    for (int i = 0; registration == null && i < families.size(); i++) {
      Registration family = families.get(i);
      Class<?> root = family.getType();
      registration = root.isAssignableFrom(type) ? family : null;
    }
    if (registration == null) {
      Class<?> plain = Views.plain(type);
      registration = plain == null ? null : resolver.getRegistration(plain);
    }
    if (registration == null) {
      throw new Refusal(unregistered(type));
    }
    resolver.alias(type, registration);
    return registration;
  }

  /** The enum of the keys, which an empty map tells nobody. */
  Class<?> keysOf(EnumMap<?, ?> map) {
    if (!map.isEmpty()) {
      return map.keySet().iterator().next().getDeclaringClass();
    }
    for (Class<?> type : resolver.enums()) {
      if (takes(map.clone(), type)) {
        return type;
      }
    }
    throw new Refusal("the enum of an empty EnumMap is not registered, register it");
  }

  @SuppressWarnings({"rawtypes", "unchecked"}) // That is the question.
  private static boolean takes(EnumMap map, Class<?> keys) {
    Object[] constants = keys.getEnumConstants();
    try {
      if (constants.length > 0) {
        map.put((Enum) constants[0], null);
      }
      return constants.length > 0;
    } catch (ClassCastException ofAnother) {
      return false;
    }
  }

  /** A constant with a body of its own is of a subclass of its enum. */
  private Registration ofEnum(Class<?> type) {
    boolean constantWithBody = Enum.class.isAssignableFrom(type) && !type.isEnum();
    return constantWithBody ? resolver.getRegistration(type.getSuperclass()) : null;
  }

  static String unregistered(Class<?> type) {
    if (Views.isUnmakeable(type)) {
      return Views.refusal(type);
    }
    Class<?> named =
        Enum.class.isAssignableFrom(type) && !type.isEnum() ? type.getSuperclass() : type;
    return "class=%s is not registered, add \"%s\" to tagfabric.kryo.registrations"
        .formatted(named.getTypeName(), named.getTypeName());
  }

  @Override
  @SuppressWarnings("rawtypes")
  protected Serializer newDefaultSerializer(Class type) {
    return new FieldsSerializer(this, type);
  }
}
