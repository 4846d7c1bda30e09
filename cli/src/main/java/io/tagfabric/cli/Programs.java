package io.tagfabric.cli;

import io.tagfabric.cluster.settings.Spelling;
import java.lang.reflect.Modifier;
import java.util.List;

/** Finds the class of a program by its short name or its full name. */
final class Programs {
  private static final String LIST = "`tagfabric programs` lists them";

  private Programs() {}

  static Registry registry() {
    return Registry.load(Programs.class.getClassLoader(), Registry.PROGRAMS);
  }

  /**
   * The class of a program, checked to have a {@code main}.
   *
   * @throws UsageException if there is no such program
   */
  static String classOf(String program) {
    Registry registry = registry();
    String name = registry.find(program).map(Registry.Entry::className).orElse(program);
    if (name.equals(program) && name.indexOf('.') < 0 && !exists(name)) {
      throw new UsageException("unknown program '" + program + "'" + hint(program, registry));
    }
    requireMain(name);
    return name;
  }

  private static void requireMain(String className) {
    try {
      Class<?> type = Class.forName(className, false, Programs.class.getClassLoader());
      if (!Modifier.isStatic(type.getMethod("main", String[].class).getModifiers())) {
        throw new NoSuchMethodException();
      }
    } catch (ClassNotFoundException | NoClassDefFoundError missing) {
      throw new UsageException(
          "class " + className + " is not on the class path, check the name; programs: " + LIST);
    } catch (NoSuchMethodException missing) {
      throw new UsageException(
          "class " + className + " has no `public static void main(String[] args)`, add one");
    }
  }

  private static boolean exists(String className) {
    return Programs.class.getClassLoader().getResource(className + ".class") != null;
  }

  private static String hint(String program, Registry registry) {
    List<String> names = registry.entries().stream().map(Registry.Entry::name).toList();
    return Spelling.nearest(program, names)
            .map(near -> ", did you mean " + near + "?")
            .orElse(", give a name or the full name of a class with a main method;")
        + " "
        + LIST;
  }
}
