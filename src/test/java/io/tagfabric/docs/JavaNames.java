package io.tagfabric.docs;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The types of the class path and of the JDK by their simple names, and the files of sources, of
 * which tests of other modules are not in the class path. Read once; thread: any.
 */
final class JavaNames {
  /** A type, or a member of it, as pages write it: {@code A}, {@code A.B}, {@code A.b(c)}. */
  private static final Pattern NAME =
      Pattern.compile("([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)((?:\\.\\w+)*)(?:\\(.*\\))?");

  private static final JavaNames ALL = read();

  private final Map<String, List<String>> types = new HashMap<>();
  private final Map<String, Path> sources = new HashMap<>();

  private JavaNames() {}

  static JavaNames all() {
    return ALL;
  }

  /** Whether a phrase in code type names a type or a member of one; a constant alone does not. */
  static boolean isName(String phrase) {
    return NAME.matcher(phrase).matches();
  }

  /** Whether what a phrase names is there. */
  boolean has(String phrase) {
    var parts = NAME.matcher(phrase);
    if (!parts.matches()) {
      throw new IllegalArgumentException(phrase + " names no type");
    }
    String members = parts.group(2);
    Path source = sources.get(parts.group(1));
    if (source != null && (members.isEmpty() || members.equals(".java"))) {
      return true;
    }
    if (source != null && !types.containsKey(parts.group(1))) {
      return read(source).contains(" " + members.substring(1) + "(");
    }
    return types.getOrDefault(parts.group(1), List.of()).stream()
        .anyMatch(
            type -> members.isEmpty() || has(type, List.of(members.substring(1).split("\\.", -1))));
  }

  private static boolean has(String type, List<String> members) {
    try {
      Class<?> owner = Class.forName(type, false, JavaNames.class.getClassLoader());
      String member = members.get(0);
      for (Class<?> nested : nested(owner)) {
        if (nested.getSimpleName().equals(member)
            && (members.size() == 1 || has(nested.getName(), members.subList(1, members.size())))) {
          return true;
        }
      }
      return members.size() == 1 && members(owner).contains(member);
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  private static List<Class<?>> nested(Class<?> owner) {
    List<Class<?>> all = new ArrayList<>();
    for (Class<?> each : withSuperTypes(owner)) {
      all.addAll(Arrays.asList(each.getDeclaredClasses()));
    }
    return all;
  }

  private static Set<String> members(Class<?> owner) {
    Set<String> names = new HashSet<>();
    for (Class<?> each : withSuperTypes(owner)) {
      Stream.of(each.getDeclaredMethods()).map(Method::getName).forEach(names::add);
      Stream.of(each.getDeclaredFields()).map(Field::getName).forEach(names::add);
    }
    return names;
  }

  private static Set<Class<?>> withSuperTypes(Class<?> type) {
    Set<Class<?>> all = new HashSet<>();
    if (type != null && all.add(type)) {
      all.addAll(withSuperTypes(type.getSuperclass()));
      for (Class<?> each : type.getInterfaces()) {
        all.addAll(withSuperTypes(each));
      }
    }
    return all;
  }

  private static JavaNames read() {
    JavaNames names = new JavaNames();
    try {
      for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
        Path path = Path.of(entry);
        if (Files.isDirectory(path)) {
          names.addAll(path);
        } else if (entry.endsWith(".jar")) {
          try (JarFile jar = new JarFile(entry)) {
            jar.stream().forEach(each -> names.add(each.getName()));
          }
        }
      }
      Path jdk = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
      try (Stream<Path> modules = Files.list(jdk)) {
        for (Path module : modules.toList()) {
          names.addAll(module);
        }
      }
      try (Stream<Path> files = Files.walk(Pages.root())) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .forEach(file -> names.sources.put(simpleName(file), file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return names;
  }

  private static String simpleName(Path source) {
    String file = source.getFileName().toString();
    return file.substring(0, file.length() - ".java".length());
  }

  private static String read(Path source) {
    try {
      return Files.readString(source);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void addAll(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      files.forEach(file -> add(root.relativize(file).toString()));
    }
  }

  private void add(String file) {
    if (file.endsWith(".class")) {
      String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
      String simple = name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
      types.computeIfAbsent(simple, any -> new ArrayList<>()).add(name);
    }
  }
}
