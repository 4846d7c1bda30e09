package io.tagfabric.bench.compare;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A program in C that needs no library and is compiled on the machine that runs it. */
final class CProgram {
  private final ProgramFinder finder;
  private final String source;

  /**
   * @param source its file, which comes with this class
   */
  CProgram(ProgramFinder finder, String source) {
    this.finder = finder;
    this.source = source;
  }

  private Optional<Path> compiler() {
    return finder.find("cc").or(() -> finder.find("gcc"));
  }

  /** Why it cannot be compiled, with what would help; empty if it can. */
  Optional<String> missingBecause() {
    return compiler().isPresent()
        ? Optional.empty()
        : Optional.of("no cc in PATH, install it with: apt-get install gcc");
  }

  /** Compiles it. */
  Path build(PeerPrograms where) throws ContenderException {
    Path file = where.source(source);
    String built = file.toString().replaceFirst("\\.c$", "");
    where.build(List.of(compiler().orElseThrow().toString(), "-O2", "-o", built, file.toString()));
    return Path.of(built);
  }
}
