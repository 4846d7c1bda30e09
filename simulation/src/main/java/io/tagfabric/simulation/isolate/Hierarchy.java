package io.tagfabric.simulation.isolate;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.objectweb.asm.ClassReader;

/**
 * Who extends whom, by the names that class files use. Reads the program's own class files, which
 * loads nothing of it; asks the parent loader for all others. Thread: any.
 */
final class Hierarchy {
  private static final String OBJECT = "java/lang/Object";

  private final ClassLoader parent;
  private final Function<String, byte[]> program;
  private final Map<String, Map<String, Boolean>> known = new ConcurrentHashMap<>();

  /**
   * @param program gives the class file of a class of the program, null of any other
   */
  Hierarchy(ClassLoader parent, Function<String, byte[]> program) {
    this.parent = parent;
    this.program = program;
  }

  /** Whether a class is another one, extends it, or implements it; a class that is missing not. */
  boolean isA(String name, String ancestor) {
    return name.equals(ancestor)
        || known
            .computeIfAbsent(ancestor, key -> new ConcurrentHashMap<>())
            .computeIfAbsent(name, key -> finds(key, ancestor));
  }

  private boolean finds(String name, String ancestor) {
    if (name.startsWith("[")) {
      return false;
    }
    byte[] file = program.apply(name);
    if (file == null) {
      return extendsLoaded(name, ancestor);
    }
    ClassReader reader = new ClassReader(file);
    String above = reader.getSuperName();
    if (above != null && !above.equals(OBJECT) && reaches(above, ancestor)) {
      return true;
    }
    for (String implemented : reader.getInterfaces()) {
      if (reaches(implemented, ancestor)) {
        return true;
      }
    }
    return false;
  }

  /** Without the map, which must not be asked while it computes. */
  private boolean reaches(String name, String ancestor) {
    return name.equals(ancestor) || finds(name, ancestor);
  }

  private boolean extendsLoaded(String name, String ancestor) {
    try {
      return loaded(ancestor).isAssignableFrom(loaded(name));
    } catch (ClassNotFoundException | LinkageError missing) {
      return false;
    }
  }

  private Class<?> loaded(String name) throws ClassNotFoundException {
    return Class.forName(name.replace('/', '.'), false, parent);
  }
}
