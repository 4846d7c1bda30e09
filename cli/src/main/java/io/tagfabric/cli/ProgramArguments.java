package io.tagfabric.cli;

import io.tagfabric.launch.agent.ProgramFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the command line says about the program.
 *
 * @param name a short name or a class
 * @param jar whose manifest names the class instead
 * @param arguments of the program
 * @param classPath as {@code java} takes it, behind the jar
 * @param variable what the environment's {@code CLASSPATH} is; it counts if the class is neither
 *     Tagfabric's own nor has a jar or a class path
 * @param directory of the ranks, empty for that of the launcher
 */
record ProgramArguments(
    Optional<String> name,
    Optional<Path> jar,
    List<String> arguments,
    Optional<String> classPath,
    Optional<String> variable,
    Optional<Path> directory) {
  private static final String OPTION = "--class-path";

  /**
   * The program, checked to have a class with a {@code main}.
   *
   * @param from where relative names begin
   * @throws UsageException if there is no such program, or files of it are missing
   */
  Program find(Path from) {
    List<Path> places = new ArrayList<>();
    Optional<Path> jarFile = jar.map(file -> from.resolve(file).normalize());
    Optional<ProgramJar> manifest = jarFile.map(ProgramJar::read);
    jarFile.ifPresent(places::add);
    classPath.ifPresent(text -> places.addAll(ClassPath.required(OPTION, text, from)));
    String className = manifest.map(ProgramJar::mainClass).orElseGet(() -> named(places, from));
    try (ClassSearch search = new ClassSearch(places)) {
      search.requireMain(className);
    }
    return new Program(
        className,
        arguments,
        new ProgramFiles(
            places,
            manifest.map(ProgramJar::needed).orElse(List.of()),
            directory.map(path -> from.resolve(path).normalize())),
        manifest.map(ProgramJar::jvmFlags).orElse(List.of()));
  }

  /**
   * The class that the word stands for.
   *
   * @param places of the program; gets those of {@code CLASSPATH} if the class needs them
   */
  private String named(List<Path> places, Path from) {
    String word = name.orElseThrow();
    Registry registry = Programs.registry();
    Optional<Registry.Entry> entry = registry.find(word);
    if (entry.isPresent()) {
      return entry.get().className();
    }
    if (ClassPath.isNamedAsJar(from.resolve(word))) {
      throw new UsageException(
          "'" + word + "' is a jar and no class, write --jar " + word + quotes());
    }
    if (classPath.isEmpty() && variable.isPresent() && !isFound(word, places)) {
      places.addAll(ClassPath.present(variable.get(), from));
    }
    if (classPath.isEmpty() && word.indexOf('.') < 0 && !isFound(word, places)) {
      throw new UsageException(Programs.unknown(word, registry));
    }
    return word;
  }

  /** A shell replaces * by names, of which the second looks like the program. */
  private String quotes() {
    return classPath.isPresent() ? ", or put quotes around a class path with *" : "";
  }

  private static boolean isFound(String className, List<Path> places) {
    try (ClassSearch search = new ClassSearch(places)) {
      return search.has(className);
    }
  }
}
