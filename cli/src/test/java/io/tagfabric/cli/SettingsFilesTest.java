package io.tagfabric.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.cluster.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsFilesTest {
  @TempDir Path directory;

  @Test
  void shouldLetTheFileThatIsNearerToTheRankWin() throws IOException {
    write("job.conf", "tagfabric { flow.ping = 1 ms, provider.use = [local, artery] }");
    write("host-b.conf", "tagfabric.flow.ping = 2 ms");
    write("rank-02.conf", "tagfabric.flow.ping = 3 ms");
    write("rank-9.conf", "tagfabric.flow.ping = 4 ms");
    write("README", "no settings");

    Map<Integer, Map<String, String>> variables =
        SettingsFiles.variables(directory, List.of("a", "b", "b"));

    assertThat(variables).containsOnlyKeys(0, 1, 2);
    assertThat(variables)
        .extractingFromEntries(entry -> entry.getValue().get("TAGFABRIC_FLOW_PING"))
        .containsExactly("1 ms", "2 ms", "3 ms");
    assertThat(variables.get(2)).containsEntry("TAGFABRIC_PROVIDER_USE", "local,artery").hasSize(2);
  }

  @Test
  void shouldNameFileAndLineOfAMistake() throws IOException {
    write("job.conf", "\ntagfabric.flow.pig = 1 ms");
    assertThatThrownBy(this::read)
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("tagfabric.flow.pig (set by ")
        .hasMessageContaining("job.conf:2)");

    write("job.conf", "tagfabric.flow.ping = soon");
    assertThatThrownBy(this::read)
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("tagfabric.flow.ping=soon (set by ")
        .hasMessageContaining("job.conf:1)");

    write("job.conf", "\n\nakka.loglevel = DEBUG");
    assertThatThrownBy(this::read)
        .isInstanceOf(UsageException.class)
        .hasMessageEndingWith("job.conf:3: akka is outside of tagfabric { ... }");

    write("job.conf", "tagfabric {");
    assertThatThrownBy(this::read)
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("job.conf: 1");
  }

  @Test
  void shouldRefuseNamesThatMeanNothingAndADirectoryThatIsNone() throws IOException {
    assertThatThrownBy(() -> SettingsFiles.variables(directory.resolve("no"), List.of("a")))
        .hasMessage("--settings-dir: cannot read directory " + directory.resolve("no"));

    write("rank3.conf", "");
    assertThatThrownBy(this::read)
        .hasMessageEndingWith(
            "rank3.conf is none of job.conf, host-NAME.conf and rank-NUMBER.conf, rename it");
    Files.delete(directory.resolve("rank3.conf"));

    write("rank-1.conf", "");
    write("rank-01.conf", "");
    assertThatThrownBy(this::read).hasMessageEndingWith("is the second file of rank-1");
  }

  private void read() {
    SettingsFiles.variables(directory, List.of("a"));
  }

  private void write(String name, String content) throws IOException {
    Files.writeString(directory.resolve(name), content);
  }
}
