package io.tagfabric.soak;

import java.nio.file.Files;
import java.nio.file.Path;

/** Names of directories for jobs that must share nothing with others. */
final class HostPaths {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static int number;

  private HostPaths() {}

  /** One that does not exist yet, in memory where there is some. */
  static synchronized Path fresh() {
    Path parent = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    return parent.resolve("tagfabric-survive-" + ProcessHandle.current().pid() + "-" + number++);
  }
}
