package io.tagfabric.bench.guard;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A checkout or an unpacked zip of Tagfabric.
 *
 * @param name for people
 * @param command its script
 */
record Build(String name, Path command) {
  private static final String NAME = "tagfabric";

  /**
   * The one in a directory.
   *
   * @throws BuildException with a sentence, if there is none
   */
  static Build in(Path directory) throws BuildException {
    if (!Files.isDirectory(directory)) {
      throw new BuildException("--against=" + directory + " is no directory");
    }
    return new Build(
        directory.toString(),
        commandIn(directory)
            .orElseThrow(
                () ->
                    new BuildException(
                        "--against="
                            + directory
                            + " has neither tagfabric nor bin/tagfabric that can be run, give a"
                            + " checkout or an unpacked zip of Tagfabric")));
  }

  /**
   * The one that this class is of.
   *
   * @throws BuildException if it does not run from a checkout or an unpacked zip
   */
  static Build own() throws BuildException {
    Path classes;
    try {
      classes = Path.of(Build.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException broken) {
      throw new BuildException(broken.getMessage(), broken);
    }
    for (Path above = classes.getParent(); above != null; above = above.getParent()) {
      Optional<Path> command = commandIn(above);
      if (command.isPresent()) {
        return new Build("this build", command.get());
      }
    }
    throw new BuildException(
        "no command tagfabric is above " + classes + ", run this from a checkout or a zip");
  }

  private static Optional<Path> commandIn(Path directory) {
    return Stream.of(Path.of(NAME), Path.of("bin", NAME))
        .map(directory.toAbsolutePath()::resolve)
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }
}
