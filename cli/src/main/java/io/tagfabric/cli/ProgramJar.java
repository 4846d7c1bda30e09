package io.tagfabric.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * What the manifest of a jar says about the program in it.
 *
 * @param mainClass {@code Main-Class}
 * @param needed files of {@code Class-Path}, which count from the jar; the JVM finds them itself
 * @param jvmFlags for {@code Add-Exports} and {@code Add-Opens}
 * @source JAR File Specification, JAR Manifest
 */
record ProgramJar(String mainClass, List<Path> needed, List<String> jvmFlags) {
  /**
   * Reads the manifest of a jar.
   *
   * @throws UsageException if the file is no jar, names no class, or names files that are missing
   */
  static ProgramJar read(Path jar) {
    Attributes manifest = manifest(jar);
    String mainClass = manifest.getValue(Attributes.Name.MAIN_CLASS);
    if (mainClass == null || mainClass.isBlank()) {
      throw new UsageException(
          "--jar: the manifest of "
              + jar
              + " has no Main-Class, write --class-path "
              + jar
              + " and the name of the class");
    }
    return new ProgramJar(mainClass.strip(), needed(jar, manifest), flags(manifest));
  }

  private static Attributes manifest(Path jar) {
    if (!Files.isRegularFile(jar)) {
      throw new UsageException(
          "--jar: " + jar + (Files.exists(jar) ? " is no file" : " is missing, check the name"));
    }
    try (JarFile file = new JarFile(jar.toFile())) {
      return Optional.ofNullable(file.getManifest())
          .map(Manifest::getMainAttributes)
          .orElseGet(Attributes::new);
    } catch (IOException unreadable) {
      throw new UsageException("--jar: " + jar + " is no jar: " + unreadable.getMessage());
    }
  }

  private static List<Path> needed(Path jar, Attributes manifest) {
    List<Path> files = new ArrayList<>();
    for (String word : words(manifest, Attributes.Name.CLASS_PATH)) {
      Optional<Path> file = resolve(jar, word);
      if (file.isPresent() && !Files.isReadable(file.get())) {
        throw new UsageException(
            "--jar: "
                + file.get()
                + ", in the Class-Path of the manifest of "
                + jar
                + ", is missing, copy it or leave it out of the manifest");
      }
      file.ifPresent(files::add);
    }
    return files;
  }

  /** Empty for what is no file, which the JVM skips. */
  private static Optional<Path> resolve(Path jar, String word) {
    try {
      // the JVM follows a link to the jar, too
      return Optional.of(Path.of(jar.toRealPath().toUri().resolve(URI.create(word))));
    } catch (IllegalArgumentException | FileSystemNotFoundException | IOException noFile) {
      return Optional.empty();
    }
  }

  private static List<String> flags(Attributes manifest) {
    return Stream.concat(
            flags("--add-exports", words(manifest, new Attributes.Name("Add-Exports"))),
            flags("--add-opens", words(manifest, new Attributes.Name("Add-Opens"))))
        .toList();
  }

  private static Stream<String> flags(String flag, List<String> packages) {
    return packages.stream().map(name -> flag + "=" + name + "=ALL-UNNAMED");
  }

  private static List<String> words(Attributes manifest, Attributes.Name name) {
    String value = manifest.getValue(name);
    return value == null
        ? List.of()
        : List.of(value.strip().split("\\s+", -1)).stream()
            .filter(word -> !word.isEmpty())
            .toList();
  }
}
