package io.tagfabric.bench.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildTest {
  @TempDir private Path directory;

  @Test
  void shouldFindItsOwnCommandAboveItsClasses() throws Exception {
    Path command = Build.own().command();

    assertThat(command).isExecutable().hasFileName("tagfabric");
    assertThat(Path.of("").toAbsolutePath().startsWith(command.getParent()))
        .as(command.toString())
        .isTrue();
  }

  @Test
  void shouldFindTheCommandOfAnUnpackedZip() throws Exception {
    Path command = Files.createDirectory(directory.resolve("bin")).resolve("tagfabric");
    Files.writeString(command, "#!/bin/sh\n");
    assertThatThrownBy(() -> Build.in(directory))
        .as("it cannot be executed")
        .isInstanceOf(BuildException.class);

    assertThat(command.toFile().setExecutable(true)).isTrue();

    assertThat(Build.in(directory).command()).isEqualTo(command);
  }
}
