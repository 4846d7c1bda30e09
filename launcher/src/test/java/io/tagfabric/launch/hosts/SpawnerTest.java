package io.tagfabric.launch.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.cluster.settings.SettingsException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpawnerTest {
  private static final Host HOST = Host.named("node1");

  @Test
  void shouldLetTheUsersSshOptionsStandFirst() {
    Spawner ssh = Spawner.parse("ssh", "ssh -p 2222 -i 'my key'");

    assertThat(ssh.shown(HOST, "cd /tmp && exec x"))
        .startsWith("ssh -p 2222 -i 'my key' -T -o BatchMode=yes ")
        .endsWith(" node1 'exec /bin/sh -c '\\''cd /tmp && exec x'\\'''");
    assertThat(ssh.advice(HOST))
        .contains("`ssh -p 2222 -i 'my key' -o BatchMode=yes node1 true` must work");
  }

  @Test
  void shouldFillInTheTemplateOfACommand() {
    Spawner command = Spawner.parse("command ip netns exec %H sh -c %C '100%%' a%", "ssh");

    assertThat(command.words(HOST, "exec java -x 'a b'"))
        .containsExactly(
            "ip", "netns", "exec", "node1", "sh", "-c", "exec java -x 'a b'", "100%", "a%");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "slurm", "command", "command docker exec %H", "command 'x %C"})
  void shouldRefuseASpawnerThatIsUnknownOrIncomplete(String text) {
    assertThatThrownBy(() -> Spawner.parse(text, "ssh")).isInstanceOf(SettingsException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain",
        "",
        "two  words ",
        "it's \"quoted\" `date` $HOME \\ \\' \\\" !",
        "second\nline\n",
        "*?[a]{b,c} ~ # & | ; < > ( )",
        "tab\tand é ☃"
      })
  void shouldQuoteSoThatAShellGivesTheWordBack(String word) throws Exception {
    List<String> words = List.of("printf", "%s|", word, "end");

    String line = ShellWords.line(words);
    Process shell = new ProcessBuilder("/bin/sh", "-c", line).start();
    byte[] printed = shell.getInputStream().readAllBytes();

    assertThat(new String(printed, StandardCharsets.UTF_8)).isEqualTo(word + "|end|");
    assertThat(ShellWords.split(line)).isEqualTo(words);
  }

  @Test
  void shouldSplitAsAShellDoes() {
    assertThat(ShellWords.split("  a 'b c'\"d $e\\\"\\x\" f\\ g '' \\\\"))
        .containsExactly("a", "b cd $e\"\\x", "f g", "", "\\");
    assertThatThrownBy(() -> ShellWords.split("a 'b")).hasMessage("a quote ' is not closed");
  }
}
