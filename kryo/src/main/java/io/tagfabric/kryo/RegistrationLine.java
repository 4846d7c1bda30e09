package io.tagfabric.kryo;

import com.esotericsoftware.kryo.Serializer;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of {@code tagfabric.kryo.registrations}: {@code class}, {@code class@id}, {@code class =
 * serializer} or {@code class@id = serializer}.
 *
 * @param serializer null if the line names none
 */
record RegistrationLine(Class<?> type, int id, Class<? extends Serializer<?>> serializer) {
  private static final Pattern FORM =
      Pattern.compile("\\s*([^\\s=@]+)\\s*(?:@\\s*(\\d{1,9})\\s*)?(?:=\\s*([^\\s=@]+)\\s*)?");

  private static final Map<String, Class<?>> PRIMITIVES =
      Map.of(
          "boolean", boolean.class,
          "byte", byte.class,
          "short", short.class,
          "char", char.class,
          "int", int.class,
          "long", long.class,
          "float", float.class,
          "double", double.class);

  static RegistrationLine parse(String line, ClassLoader loader) {
    Matcher matcher = FORM.matcher(line);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "tagfabric.kryo.registrations: \"%s\" is not of the form \"class@id = serializer\""
              .formatted(line));
    }
    Class<?> type = load(matcher.group(1), loader, line);
    int id =
        matcher.group(2) == null ? RegisteredClass.UNNUMBERED : Integer.parseInt(matcher.group(2));
    String serializer = matcher.group(3);
    return new RegistrationLine(
        type, id, serializer == null ? null : loadSerializer(serializer, loader, line));
  }

  private static Class<? extends Serializer<?>> loadSerializer(
      String name, ClassLoader loader, String line) {
    Class<?> loaded = load(name, loader, line);
    if (!Serializer.class.isAssignableFrom(loaded)) {
      throw new IllegalArgumentException(
          "tagfabric.kryo.registrations: class=%s in \"%s\" does not extend %s"
              .formatted(name, line, Serializer.class.getName()));
    }
    @SuppressWarnings("unchecked")
    Class<? extends Serializer<?>> serializer = (Class<? extends Serializer<?>>) loaded;
    return serializer;
  }

  private static Class<?> load(String name, ClassLoader loader, String line) {
    if (name.endsWith("[]")) {
      return load(name.substring(0, name.length() - 2), loader, line).arrayType();
    }
    Class<?> primitive = PRIMITIVES.get(name);
    if (primitive != null) {
      return primitive;
    }
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      throw new IllegalArgumentException(
          ("tagfabric.kryo.registrations: class=%s in \"%s\" is not on the class path,"
                  + " a nested class is Outer$Nested")
              .formatted(name, line),
          e);
    }
  }
}
