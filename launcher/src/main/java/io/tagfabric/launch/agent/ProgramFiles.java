package io.tagfabric.launch.agent;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a program needs of the files of every host that runs it. All paths are absolute.
 *
 * @param classPath jars and directories of the program; on the class path of a rank they stand
 *     behind Tagfabric's own jars, so that Tagfabric's classes win and its archive of classes,
 *     which holds for the beginning of a class path only, stays in use
 * @param needed further files that must be there, such as those that the manifest of a jar names
 * @param directory working directory of the ranks, empty for that of the launcher
 */
public record ProgramFiles(List<Path> classPath, List<Path> needed, Optional<Path> directory) {
  public ProgramFiles {
    classPath = List.copyOf(classPath);
    needed = List.copyOf(needed);
    Stream.of(classPath.stream(), needed.stream(), directory.stream())
        .flatMap(paths -> paths)
        .filter(path -> !path.isAbsolute())
        .findFirst()
        .ifPresent(
            path -> {
              throw new IllegalArgumentException("the path " + path + " is not absolute");
            });
  }

  /** A program of Tagfabric's own jars, in the launcher's directory. */
  public static ProgramFiles none() {
    return new ProgramFiles(List.of(), List.of(), Optional.empty());
  }

  /** What this host lacks, as the end of a sentence; empty if all is here. */
  public Optional<String> missing() {
    return missingDirectory().or(this::missingFile);
  }

  private Optional<String> missingDirectory() {
    return directory
        .filter(path -> !Files.isDirectory(path) || !Files.isExecutable(path))
        .map(path -> "the working directory " + path + " of --wdir is " + state(path, true));
  }

  private Optional<String> missingFile() {
    return Stream.concat(classPath.stream(), needed.stream())
        .filter(path -> !Files.isReadable(path))
        .findFirst()
        .map(path -> path + " of the class path is " + state(path, false));
  }

  private static String state(Path path, boolean directory) {
    if (!Files.exists(path)) {
      return "missing";
    }
    return directory && !Files.isDirectory(path) ? "no directory" : "closed to this user";
  }
}
