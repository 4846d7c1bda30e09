package io.tagfabric.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Looks for the class of a program where its ranks will: in Tagfabric's own jars first, then in
 * those of the program. Loads it without running anything of it.
 */
final class ClassSearch implements AutoCloseable {
  private static final int SHOWN_PLACES = 8;

  private final List<Path> classPath;
  private final URLClassLoader loader;

  /**
   * @param classPath jars and directories of the program
   */
  ClassSearch(List<Path> classPath) {
    this.classPath = List.copyOf(classPath);
    loader =
        new URLClassLoader(
            classPath.stream().map(ClassSearch::url).toArray(URL[]::new),
            ClassSearch.class.getClassLoader());
  }

  /** Whether there is a class of this name. */
  boolean has(String className) {
    return loader.getResource(className.replace('.', '/') + ".class") != null;
  }

  /**
   * Checks that a class has the {@code main} that a JVM starts.
   *
   * @throws UsageException if it has none, or cannot be loaded
   */
  void requireMain(String className) {
    try {
      Method main = Class.forName(className, false, loader).getMethod("main", String[].class);
      if (Modifier.isStatic(main.getModifiers()) && main.getReturnType() == void.class) {
        return;
      }
    } catch (ClassNotFoundException missing) {
      throw new UsageException(
          "class "
              + className
              + " is not on the class path ("
              + shown()
              + "), check the name or add its place by --class-path; `tagfabric programs` lists"
              + " programs");
    } catch (NoSuchMethodException missing) {
      // as one that a JVM does not start
    } catch (LinkageError | SecurityException broken) {
      throw new UsageException(
          "class "
              + className
              + " cannot be loaded from the class path ("
              + shown()
              + "): "
              + reason(broken));
    }
    throw new UsageException(
        "class "
            + className
            + " on the class path ("
            + shown()
            + ") has no `public static void main(String[] args)`, add one");
  }

  /** The places that are searched, as a person may read them. */
  private String shown() {
    if (classPath.isEmpty()) {
      return "Tagfabric's own jars";
    }
    String places =
        classPath.stream().limit(SHOWN_PLACES).map(Path::toString).collect(Collectors.joining(":"));
    int more = classPath.size() - SHOWN_PLACES;
    return "Tagfabric's own jars and " + places + (more > 0 ? " and " + more + " more" : "");
  }

  private static String reason(Throwable broken) {
    String message = String.valueOf(broken.getMessage());
    if (broken instanceof UnsupportedClassVersionError) {
      return message + ", compile it for Java " + Runtime.version().feature();
    }
    return broken instanceof NoClassDefFoundError
        ? "it needs the class " + message.replace('/', '.') + ", which is not there"
        : message;
  }

  private static URL url(Path place) {
    try {
      return place.toUri().toURL();
    } catch (MalformedURLException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  @Override
  public void close() {
    try {
      loader.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
