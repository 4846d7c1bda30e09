package io.tagfabric.kryo;

import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.serializers.DefaultSerializers;
import com.esotericsoftware.kryo.serializers.RecordSerializer;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The text nodes compare: a line a class, {@code id name serializer shape}, ordered by id. */
final class RegistrationDescription {
  private static final int COLUMNS = 4;
  private static final String NO_SHAPE = "-";

  private RegistrationDescription() {}

  static String line(RegisteredClass registered, Serializer<?> serializer) {
    String serializerName =
        registered.serializerName() != null
            ? registered.serializerName()
            : serializer.getClass().getName();
    return registered.id()
        + " "
        + registered.name()
        + " "
        + serializerName
        + " "
        + shape(registered.type(), serializer);
  }

  /**
   * Only for serializers that follow the class's declaration; others make a layout of their own.
   */
  private static String shape(Class<?> type, Serializer<?> serializer) {
    if (serializer instanceof RecordSerializer) {
      return Arrays.stream(type.getRecordComponents())
          .map(RegistrationDescription::component)
          .collect(Collectors.joining(",", "record(", ")"));
    }
    if (serializer instanceof FieldsSerializer) {
      return FieldsSerializer.fieldsOf(type).stream()
          .map(field -> field.getName() + ":" + field.getType().getTypeName())
          .collect(Collectors.joining(",", "fields(", ")"));
    }
    if (serializer instanceof DefaultSerializers.EnumSerializer) {
      return Arrays.stream(type.getEnumConstants())
          .map(constant -> ((Enum<?>) constant).name())
          .collect(Collectors.joining(",", "enum(", ")"));
    }
    return NO_SHAPE;
  }

  private static String component(RecordComponent component) {
    return component.getName() + ":" + component.getType().getTypeName();
  }

  /** The first eight bytes of the text's SHA-256: the same on every machine and JDK. */
  static long fingerprint(String description) {
    try {
      byte[] bytes = description.getBytes(StandardCharsets.UTF_8);
      return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(bytes)).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is part of every JDK", e);
    }
  }

  static List<String> difference(String here, String there) {
    Map<String, String[]> linesHere = byName(here);
    Map<String, String[]> linesThere = byName(there);
    TreeSet<String> names = new TreeSet<>(linesHere.keySet());
    names.addAll(linesThere.keySet());
    List<String> differences = new ArrayList<>();
    List<String> renumbered = new ArrayList<>();
    for (String name : names) {
      String[] ours = linesHere.get(name);
      String[] theirs = linesThere.get(name);
      if (theirs == null) {
        differences.add("class=" + name + " is registered here only");
      } else if (ours == null) {
        differences.add("class=" + name + " is registered there only");
      } else if (!ours[2].equals(theirs[2])) {
        differences.add(unequal(name, "serializer", ours[2], theirs[2]));
      } else if (!ours[3].equals(theirs[3])) {
        differences.add(unequal(name, "shape", ours[3], theirs[3]));
      } else if (!ours[0].equals(theirs[0])) {
        renumbered.add(unequal(name, "id", ours[0], theirs[0]));
      }
    }
    // A class more on one side moves the numbers of all classes after it: no news of its own.
    return differences.isEmpty() ? renumbered : differences;
  }

  private static String unequal(String name, String what, String here, String there) {
    return "class=%s %s here=%s != there=%s".formatted(name, what, here, there);
  }

  private static Map<String, String[]> byName(String description) {
    Map<String, String[]> lines = new TreeMap<>();
    description
        .lines()
        .map(line -> line.split(" ", COLUMNS))
        .filter(columns -> columns.length == COLUMNS)
        .forEach(columns -> lines.put(columns[1], columns));
    return lines;
  }
}
