package io.tagfabric.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.SerializerFactory.ReflectionSerializerFactory;
import com.typesafe.config.Config;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The classes that may travel, each with its number and serializer; immutable, shared by threads.
 *
 * <p>Numbers: 0 to {@value #LAST_RESERVED_ID} belong to Tagfabric and hold the JDK's values, arrays
 * and collections. Every other class may be given a number above; those without one are sorted by
 * name and take the free numbers from {@value #FIRST_ID} on. So nodes that register the same
 * classes agree, in whatever order and by whichever way they register them; a node with one class
 * more does not, unless all classes were given numbers. {@link #fingerprint()} tells, {@link
 * #difference} explains.
 *
 * <p>Layout: records by component, enums by position, other classes by field, each named exactly;
 * adding, removing or reordering changes the fingerprint.
 */
public final class KryoRegistrations {
  /** The last number that a program cannot give to a class of its own. */
  public static final int LAST_RESERVED_ID = 79;

  /** Where the numbers of classes without an explicit one start. */
  public static final int FIRST_ID = 96;

  /** The highest number a class can be given. */
  public static final int LAST_ID = 16_381;

  private static final List<RegisteredClass> BUILT_INS = BuiltIns.list();

  private final List<RegisteredClass> declared;
  private final List<RegisteredClass> classes;
  private final String description;
  private final long fingerprint;

  private KryoRegistrations(List<RegisteredClass> declared, List<RegisteredClass> numbered) {
    this.declared = declared;
    List<RegisteredClass> all = new ArrayList<>(BUILT_INS);
    all.addAll(numbered);
    classes = List.copyOf(all);
    description = describe(classes);
    fingerprint = RegistrationDescription.fingerprint(description);
  }

  /** Starts an empty set; the JDK's own classes are always in. */
  public static Builder builder() {
    return new Builder();
  }

  /** The set of these classes. See {@link Builder#add(Class)}. */
  public static KryoRegistrations of(Class<?>... types) {
    Builder builder = builder();
    for (Class<?> type : types) {
      builder.add(type);
    }
    return builder.build();
  }

  /** A builder that already holds this set's classes. */
  public Builder toBuilder() {
    return new Builder().addAll(this);
  }

  /**
   * A number that is equal on nodes whose registrations are, on every machine and JDK: ids, names,
   * serializers, and the components, fields or constants of what is written by its declaration.
   */
  public long fingerprint() {
    return fingerprint;
  }

  /** What the fingerprint is made of, a line a class; for {@link #difference} on another node. */
  public String describe() {
    return description;
  }

  /**
   * Compares with another node's registrations.
   *
   * @param description what {@link #describe()} gave there
   * @return a sentence for each class that differs, ordered by name; empty if none does
   */
  public List<String> difference(String description) {
    return RegistrationDescription.difference(this.description, description);
  }

  @Override
  public String toString() {
    return "KryoRegistrations[classes=%d, fingerprint=%016x]"
        .formatted(declared.size(), fingerprint);
  }

  /** A new Kryo that knows these classes. */
  StrictKryo newKryo(int maxDepth) {
    StrictKryo kryo = new StrictKryo(maxDepth);
    for (RegisteredClass registered : classes) {
      kryo.add(registered);
    }
    return kryo;
  }

  /** Makes every serializer once, so that what cannot be written fails here and not under load. */
  private static String describe(List<RegisteredClass> classes) {
    StrictKryo kryo = new StrictKryo(1);
    StringBuilder text = new StringBuilder();
    for (RegisteredClass registered : classes) {
      text.append(RegistrationDescription.line(registered, add(kryo, registered))).append('\n');
    }
    return text.toString();
  }

  private static Serializer<?> add(StrictKryo kryo, RegisteredClass registered) {
    try {
      return kryo.add(registered);
    } catch (Refusal e) {
      throw new IllegalArgumentException(e.sentence(), e);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "class=%s gets no serializer: %s".formatted(registered.name(), e.getMessage()), e);
    }
  }

  /** Collects registrations in any order; one thread. */
  public static final class Builder {
    private final Map<String, RegisteredClass> byName = new TreeMap<>();

    private Builder() {}

    /**
     * Registers a class by its shape: record, enum, array, collection, map, or plain fields. A
     * sealed type stands for all the concrete classes it permits.
     *
     * @throws IllegalArgumentException if the class is abstract and not sealed
     */
    public Builder add(Class<?> type) {
      return addByShape(RegisteredClass.UNNUMBERED, type);
    }

    /**
     * Registers a concrete class by its shape, under a number.
     *
     * @throws IllegalArgumentException if the number is out of range or taken
     */
    public Builder add(int id, Class<?> type) {
      return addByShape(checked(id, type), type);
    }

    /**
     * Registers a class with a serializer.
     *
     * @param serializer makes one for each Kryo instance; serializers may keep state between calls
     *     of one thread at a time
     */
    public <T> Builder add(Class<? super T> type, Supplier<? extends Serializer<T>> serializer) {
      return add(RegisteredClass.UNNUMBERED, type, false, serializer);
    }

    /** Registers a class with a serializer, under a number. */
    public <T> Builder add(
        int id, Class<? super T> type, Supplier<? extends Serializer<T>> serializer) {
      return add(checked(id, type), type, false, serializer);
    }

    /**
     * Registers a class together with all its subclasses that are not registered themselves; they
     * arrive as whatever the serializer makes.
     */
    public <T> Builder addFamily(
        int id, Class<? super T> type, Supplier<? extends Serializer<T>> serializer) {
      return add(checked(id, type), type, true, serializer);
    }

    /** Takes over another set's registrations, its own numbers only where they were explicit. */
    public Builder addAll(KryoRegistrations other) {
      other.declared.forEach(this::put);
      return this;
    }

    /**
     * Takes over {@code registrations} of the configuration.
     *
     * @param kryo the block {@code tagfabric.kryo}
     * @param loader where the classes are found
     * @throws IllegalArgumentException naming the entry that is malformed or not on the class path
     */
    public Builder addAll(Config kryo, ClassLoader loader) {
      for (String line : kryo.getStringList("registrations")) {
        add(RegistrationLine.parse(line, loader));
      }
      return this;
    }

    /**
     * Numbers the classes and checks that each can be written.
     *
     * @throws IllegalArgumentException if a number is given twice or a class gets no serializer
     */
    public KryoRegistrations build() {
      List<RegisteredClass> declared = List.copyOf(byName.values());
      return new KryoRegistrations(declared, numbered(declared));
    }

    private void add(RegistrationLine line) {
      Class<?> type = line.type();
      int id = line.id();
      if (id != RegisteredClass.UNNUMBERED) {
        checked(id, type);
      }
      if (line.serializer() == null) {
        addByShape(id, type);
      } else {
        var factory = new ReflectionSerializerFactory<>(line.serializer());
        String name = line.serializer().getName();
        put(RegisteredClass.by(id, type, false, name, kryo -> factory.newSerializer(kryo, type)));
      }
    }

    private Builder add(
        int id, Class<?> type, boolean family, Supplier<? extends Serializer<?>> serializer) {
      String name = serializer.get().getClass().getName();
      Function<Kryo, Serializer<?>> maker = kryo -> serializer.get();
      return put(RegisteredClass.by(id, type, family, name, maker));
    }

    private Builder addByShape(int id, Class<?> type) {
      boolean concrete = !Modifier.isAbstract(type.getModifiers());
      if (type.isEnum() || type.isArray() || type.isPrimitive() || (concrete && !type.isSealed())) {
        return put(RegisteredClass.byShape(id, type));
      }
      if (!type.isSealed()) {
        throw new IllegalArgumentException(
            "class=%s is abstract, register its concrete classes or make it sealed"
                .formatted(type.getTypeName()));
      }
      if (id != RegisteredClass.UNNUMBERED) {
        throw new IllegalArgumentException(
            "id=%d is for one class, class=%s is sealed and stands for several"
                .formatted(id, type.getTypeName()));
      }
      if (concrete) {
        put(RegisteredClass.byShape(id, type));
      }
      Arrays.stream(type.getPermittedSubclasses()).forEach(this::add);
      return this;
    }

    private static int checked(int id, Class<?> type) {
      if (id <= LAST_RESERVED_ID || id > LAST_ID) {
        throw new IllegalArgumentException(
            "id=%d of class=%s is not in %d..%d"
                .formatted(id, type.getTypeName(), LAST_RESERVED_ID + 1, LAST_ID));
      }
      return id;
    }

    private Builder put(RegisteredClass added) {
      if (isBuiltIn(added.type())) {
        if (added.serializerName() == null) {
          return this;
        }
        throw new IllegalArgumentException(
            "class=%s is built in, it cannot get another serializer".formatted(added.name()));
      }
      if (added.serializerName() == null) {
        if (Views.plain(added.type()) != null) {
          return this;
        }
        requireMakeable(added.type());
      }
      byName.merge(added.name(), added, Builder::merged);
      return this;
    }

    private static void requireMakeable(Class<?> type) {
      if (Views.isUnmakeable(type)) {
        throw new IllegalArgumentException(Views.refusal(type));
      }
    }

    private static boolean isBuiltIn(Class<?> type) {
      boolean numberedByKryo =
          type == String.class || MethodType.methodType(type).unwrap().returnType().isPrimitive();
      return numberedByKryo
          || BUILT_INS.stream()
              .anyMatch(
                  b ->
                      b.type() == type
                          || b.aliases().contains(type)
                          || (b.family() && b.type().isAssignableFrom(type)));
    }

    private static RegisteredClass merged(RegisteredClass known, RegisteredClass added) {
      boolean sameSerializer =
          known.serializerName() == null
              ? added.serializerName() == null
              : known.serializerName().equals(added.serializerName());
      if (known.type() != added.type() || known.family() != added.family() || !sameSerializer) {
        throw new IllegalArgumentException(
            "class=%s is registered twice, with serializer=%s and serializer=%s"
                .formatted(known.name(), known.serializerName(), added.serializerName()));
      }
      if (added.id() == RegisteredClass.UNNUMBERED || added.id() == known.id()) {
        return known;
      }
      if (known.id() == RegisteredClass.UNNUMBERED) {
        return added;
      }
      throw new IllegalArgumentException(
          "class=%s is registered twice, with id=%d and id=%d"
              .formatted(known.name(), known.id(), added.id()));
    }

    private static List<RegisteredClass> numbered(Collection<RegisteredClass> declared) {
      Map<Integer, RegisteredClass> byId = new HashMap<>();
      for (RegisteredClass registered : declared) {
        if (registered.id() != RegisteredClass.UNNUMBERED) {
          RegisteredClass other = byId.put(registered.id(), registered);
          if (other != null) {
            throw new IllegalArgumentException(
                "id=%d is given to class=%s and class=%s"
                    .formatted(registered.id(), other.name(), registered.name()));
          }
        }
      }
      int next = FIRST_ID;
      for (RegisteredClass registered : declared) {
        if (registered.id() == RegisteredClass.UNNUMBERED) {
          while (byId.containsKey(next)) {
            next++;
          }
          byId.put(next, registered.withId(next));
        }
      }
      if (next > LAST_ID) {
        throw new IllegalArgumentException(
            "classCount=%d leaves no id up to %d".formatted(declared.size(), LAST_ID));
      }
      return byId.values().stream().sorted(Comparator.comparingInt(RegisteredClass::id)).toList();
    }
  }
}
