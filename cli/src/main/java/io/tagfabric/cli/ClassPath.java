package io.tagfabric.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Reads a class path as {@code java} does: places between colons; {@code DIR/*} for all jars of a
 * directory, here in the order of their names; an empty place for the working directory.
 */
final class ClassPath {
  private static final String ALL_JARS = "*";

  private ClassPath() {}

  /**
   * The places of a class path that a person has named, absolute.
   *
   * @param option that has named them
   * @param from where relative places begin
   * @throws UsageException if one is missing
   */
  static List<Path> required(String option, String text, Path from) {
    List<Path> places = new ArrayList<>();
    for (String word : text.split(File.pathSeparator, -1)) {
      Path place = from.resolve(directoryOf(word)).normalize();
      if (!Files.isReadable(place) || (isWildcard(word) && !Files.isDirectory(place))) {
        throw new UsageException(
            option
                + ": "
                + place
                + (!Files.exists(place)
                    ? " is missing"
                    : isWildcard(word) ? " is no directory" : " is closed to this user")
                + ", check the name");
      }
      add(word, place, places);
    }
    return places;
  }

  /** Those places of a class path that are there; the others are skipped, as {@code java} does. */
  static List<Path> present(String text, Path from) {
    List<Path> places = new ArrayList<>();
    for (String word : text.split(File.pathSeparator, -1)) {
      Path place = from.resolve(directoryOf(word)).normalize();
      if (isWildcard(word) ? Files.isDirectory(place) : Files.isReadable(place)) {
        add(word, place, places);
      }
    }
    return places;
  }

  private static void add(String word, Path place, List<Path> places) {
    if (isWildcard(word)) {
      places.addAll(jarsOf(place));
    } else {
      places.add(place);
    }
  }

  private static boolean isWildcard(String word) {
    return word.equals(ALL_JARS) || word.endsWith(File.separator + ALL_JARS);
  }

  private static String directoryOf(String word) {
    return isWildcard(word) ? word.substring(0, word.length() - ALL_JARS.length()) : word;
  }

  private static List<Path> jarsOf(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(ClassPath::isNamedAsJar).sorted().toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** By the name's end; a directory of such a name is none. */
  static boolean isNamedAsJar(Path file) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".jar") && Files.isRegularFile(file);
  }
}
