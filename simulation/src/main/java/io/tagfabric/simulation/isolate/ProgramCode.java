package io.tagfabric.simulation.isolate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The classes of a program, turned to {@link Calls} once for all ranks that run it.
 *
 * <p>A class is the program's if only the program's places have it, or if the parent loader has it
 * and a predicate says so; all others are shared by the ranks. Thread: any.
 */
public final class ProgramCode implements AutoCloseable {
  /** A class file as ranks load it. */
  static final class ClassFile {
    private final byte[] bytes;
    private final URL place;

    ClassFile(byte[] bytes, URL place) {
      this.bytes = bytes;
      this.place = place;
    }

    /** Its bytes, which nobody changes. */
    byte[] bytes() {
      return bytes;
    }

    /** The file, for the class' code source. */
    URL place() {
      return place;
    }
  }

  /** Programs in Tagfabric's own jars, by the beginnings of their packages. */
  private static final List<String> OWN_PROGRAMS =
      List.of(
          "io.tagfabric.demos.",
          "io.tagfabric.bench.",
          "io.tagfabric.report.",
          "io.tagfabric.trials.");

  private final ClassLoader parent;
  private final URL[] places;
  private final URLClassLoader files;
  private final Predicate<String> isProgram;
  private final Hierarchy hierarchy;
  private final Map<String, Optional<ClassFile>> turned = new ConcurrentHashMap<>();

  /**
   * @param places jars and directories of the program, behind those of the parent
   * @param parent has Tagfabric, Akka and the JDK
   * @param isProgram whether a class, by its name, that the parent has is of the program all the
   *     same
   */
  public ProgramCode(List<Path> places, ClassLoader parent, Predicate<String> isProgram) {
    this.parent = parent;
    this.places = places.stream().map(ProgramCode::url).toArray(URL[]::new);
    this.files = new URLClassLoader(this.places, null);
    this.isProgram = isProgram;
    this.hierarchy = new Hierarchy(parent, this::original);
  }

  /**
   * A program on the class path of the command, or behind it: all else there is shared.
   *
   * @param places jars and directories of the program
   */
  public static ProgramCode of(List<Path> places) {
    return new ProgramCode(places, ProgramCode.class.getClassLoader(), ProgramCode::isOwnProgram);
  }

  /** Whether a class, by its name, is of a program that comes with Tagfabric. */
  static boolean isOwnProgram(String className) {
    return OWN_PROGRAMS.stream().anyMatch(className::startsWith);
  }

  /** Whether there is a class of a name, the program's or a shared one. */
  public boolean has(String className) {
    String file = className.replace('.', '/') + ".class";
    return parent.getResource(file) != null || files.findResource(file) != null;
  }

  private static URL url(Path place) {
    try {
      return place.toUri().toURL();
    } catch (MalformedURLException impossible) {
      throw new IllegalArgumentException(place + " is no place of a class path", impossible);
    }
  }

  ClassLoader parent() {
    return parent;
  }

  URL[] places() {
    return places.clone();
  }

  Hierarchy hierarchy() {
    return hierarchy;
  }

  /** Whether the ranks do not share a class that the parent has. */
  boolean isProgram(String className) {
    return isProgram.test(className);
  }

  /** The file of a class of the program, turned; empty if the program has no such class. */
  Optional<ClassFile> find(String className) {
    return turned.computeIfAbsent(className, this::turn);
  }

  private Optional<ClassFile> turn(String className) {
    return Optional.ofNullable(locate(className.replace('.', '/')))
        .map(place -> new ClassFile(CallRewriter.rewrite(read(place), hierarchy), place));
  }

  /** By internal name; null if it is shared. */
  private byte[] original(String internalName) {
    URL place = locate(internalName);
    return place == null ? null : read(place);
  }

  private URL locate(String internalName) {
    String file = internalName + ".class";
    URL shared = parent.getResource(file);
    if (shared != null) {
      return isProgram(internalName.replace('/', '.')) ? shared : null;
    }
    return files.findResource(file);
  }

  static byte[] read(URL place) {
    try (InputStream in = place.openStream()) {
      return in.readAllBytes();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + place, failure);
    }
  }

  /** Closes the program's jars; classes that are not loaded yet cannot be then. */
  @Override
  public void close() {
    try {
      files.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
