package io.tagfabric.launch;

import io.tagfabric.launch.hosts.ShellWords;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a rank is started.
 *
 * @param host index of its host
 * @param variables what its environment has more than that of the process that starts it
 * @param directory its working directory, empty for that of the process that starts it
 * @param together all ranks of the process, in order; the command starts them all
 */
record RankCommand(
    int rank,
    int host,
    List<String> words,
    Map<String, String> variables,
    Optional<Path> directory,
    List<Integer> together) {
  RankCommand {
    words = List.copyOf(words);
    together = List.copyOf(together);
  }

  /** A rank with a process of its own. */
  RankCommand(
      int rank,
      int host,
      List<String> words,
      Map<String, String> variables,
      Optional<Path> directory) {
    this(rank, host, words, variables, directory, List.of(rank));
  }

  /** Whether it starts other ranks as well. */
  boolean isShared() {
    return together.size() > 1;
  }

  /** The ranks that it starts, for people. */
  String who() {
    return isShared()
        ? "ranks " + together.get(0) + " to " + together.get(together.size() - 1)
        : "rank " + rank;
  }

  /** As a person could type it. */
  String shellLine() {
    List<String> line = new ArrayList<>();
    directory.ifPresent(path -> line.add("cd " + ShellWords.quote(path.toString()) + " &&"));
    variables.forEach((name, value) -> line.add(name + "=" + ShellWords.quote(shown(name, value))));
    line.add(ShellWords.line(words));
    return String.join(" ", line);
  }

  /** Without variables, and without the names of all jars, which nobody reads. */
  String shortLine() {
    List<String> line = new ArrayList<>(words);
    int classPath = words.indexOf("-cp") + 1;
    if (classPath > 0 && classPath < words.size()) {
      String[] places = words.get(classPath).split(File.pathSeparator, -1);
      if (places.length > 2) {
        line.set(classPath, places[0] + File.pathSeparator + "...");
      }
    }
    return ShellWords.line(line);
  }

  private static String shown(String name, String value) {
    return name.endsWith("_PASSWORD") ? "..." : value;
  }
}
