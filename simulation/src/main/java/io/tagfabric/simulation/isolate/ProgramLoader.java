package io.tagfabric.simulation.isolate;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.Optional;

/**
 * Loads a program for one rank: its classes, and so their statics, are the rank's own, and their
 * calls go to the rank's environment. What the program shares with other ranks comes from the
 * parent, as do resources that both have. Classes that the program itself defines by other loaders
 * are as they are.
 *
 * <p>The rank's threads should have it as their context class loader; new threads inherit that.
 */
public final class ProgramLoader extends URLClassLoader {
  private static final String CALLS = Calls.class.getName();

  static {
    registerAsParallelCapable();
  }

  private final ProgramCode code;
  private final ProgramEnvironment environment;

  /** A loader for one rank. */
  public ProgramLoader(ProgramCode code, ProgramEnvironment environment) {
    super(code.places(), code.parent());
    this.code = code;
    this.environment = environment;
  }

  /** What the calls of the program reach. */
  public ProgramEnvironment environment() {
    return environment;
  }

  Hierarchy hierarchy() {
    return code.hierarchy();
  }

  /** The environment of the rank whose context class loader a thread has, if it has one. */
  public static Optional<ProgramEnvironment> environmentOf(Thread thread) {
    for (ClassLoader at = thread.getContextClassLoader(); at != null; at = at.getParent()) {
      if (at instanceof ProgramLoader loader) {
        return Optional.of(loader.environment);
      }
    }
    return Optional.empty();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        loaded = isOwn(name) ? findClass(name) : super.loadClass(name, false);
      }
      if (resolve) {
        resolveClass(loaded);
      }
      return loaded;
    }
  }

  private boolean isOwn(String name) {
    return name.equals(CALLS) || code.isProgram(name);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    if (name.equals(CALLS)) {
      URL place = code.parent().getResource(CALLS.replace('.', '/') + ".class");
      return define(name, new ProgramCode.ClassFile(ProgramCode.read(place), place));
    }
    Optional<ProgramCode.ClassFile> file;
    try {
      file = code.find(name);
    } catch (IllegalArgumentException unreadable) {
      throw new UnsupportedClassVersionError(
          name
              + " is of a later Java than this version of Tagfabric can isolate: compile it with"
              + " an earlier --release, or give each rank a JVM ("
              + unreadable.getMessage()
              + ")");
    }
    return define(name, file.orElseThrow(() -> new ClassNotFoundException(name)));
  }

  private Class<?> define(String name, ProgramCode.ClassFile file) {
    CodeSource source = new CodeSource(placeOf(file.place(), name), (Certificate[]) null);
    byte[] bytes = file.bytes();
    return defineClass(
        name, bytes, 0, bytes.length, new ProtectionDomain(source, null, this, null));
  }

  /** The jar or directory that has a class file. */
  private static URL placeOf(URL file, String className) {
    try {
      if (file.openConnection() instanceof JarURLConnection jar) {
        return jar.getJarFileURL();
      }
      String path = file.toString();
      String end = className.replace('.', '/') + ".class";
      return path.endsWith(end) ? directory(path, end) : file;
    } catch (IOException unknown) {
      return file;
    }
  }

  @SuppressWarnings("deprecation") // its successor is not in Java 17
  private static URL directory(String path, String end) throws MalformedURLException {
    return new URL(path.substring(0, path.length() - end.length()));
  }
}
