package io.tagfabric.launch.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.cluster.settings.SettingsException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostListTest {
  @Test
  void shouldReadHostsWithTheirOptionsAndSkipComments() {
    List<Host> hosts =
        HostList.ofLines(
            "f",
            List.of(
                "# the big ones",
                "",
                "  node1   slots=4 address=10.0.0.1  # rack 2",
                "me@node-2\tslots=2",
                "fe80::1%eth0 slots=1#no blank before"));

    assertThat(hosts)
        .containsExactly(
            new Host("node1", "10.0.0.1", OptionalInt.of(4)),
            new Host("me@node-2", "", OptionalInt.of(2)),
            new Host("fe80::1%eth0", "", OptionalInt.of(1)));
  }

  @Test
  void shouldReadAListWithAndWithoutSlots() {
    assertThat(HostList.ofOption("a, b")).containsExactly(Host.named("a"), Host.named("b"));
    assertThat(HostList.ofOption("a:3,[::1]:2"))
        .containsExactly(
            new Host("a", "", OptionalInt.of(3)), new Host("::1", "", OptionalInt.of(2)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a slots=0      | hosts:3: slots=0 is no number of ranks from 1",
        "a slots=x      | hosts:3: slots=x is no number of ranks from 1",
        "a slot=4       | hosts:3: 'slot=4' is no option",
        "a slots=1 slots=2 | hosts:3: 'slots=2' is no option",
        "a address=     | hosts:3: 'address=' is no option",
        "-oProxyCommand=x | hosts:3: '-oProxyCommand=x' is no name or address of a host",
        "a;b            | hosts:3: 'a;b' is no name or address of a host",
        "first          | hosts:3: host first stands twice",
        "a slots=1      | hosts:2: no slots here, but at hosts:3; give them to all or none"
      })
  void shouldNameTheLineThatIsWrong(String line, String message) {
    List<String> lines = List.of("# comment", "first", line);

    assertThatThrownBy(() -> HostList.ofLines("hosts", lines))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a,,b   | '' is no name",
        "a,a    | host a stands twice",
        "a:4,b  | no slots here",
        "::1    | write an IPv6 address in brackets"
      })
  void shouldRefuseAListThatIsWrong(String list, String message) {
    assertThatThrownBy(() -> HostList.ofOption(list))
        .isInstanceOf(SettingsException.class)
        .hasMessageStartingWith("--hosts=" + list + ": ")
        .hasMessageContaining(message);
  }

  @Test
  void shouldRefuseAFileWithoutHostsAndOneThatIsNotThere() {
    assertThatThrownBy(() -> HostList.ofLines("empty", List.of("# nobody")))
        .hasMessage("empty: names no host");
    assertThatThrownBy(() -> HostList.ofFile(Path.of("/no/such/hosts")))
        .hasMessage("--hostfile: cannot read /no/such/hosts (there is no such file)");
  }

  @Test
  void shouldTakeLoopbackAddressesForHosts() {
    assertThat(HostList.loopback(2))
        .containsExactly(Host.named("127.0.0.1"), Host.named("127.0.0.2"));
  }
}
