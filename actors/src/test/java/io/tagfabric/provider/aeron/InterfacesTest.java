package io.tagfabric.provider.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.provider.Interfaces;
import io.tagfabric.provider.WireContext;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which address {@code tagfabric.aeron.interfaces} selects. */
class InterfacesTest {
  private static final Interfaces HOST =
      new Interfaces(
          List.of(
              found("lo", true, "127.0.0.1", "::1"),
              found("eth0", true, "10.1.2.3", "10.2.0.9", "fd00::2"),
              found("eth1", true, "192.168.4.5"),
              found("ib0", false, "10.9.0.1"),
              found("ib1", true)));
  private static final String LIST =
      "there are [lo (127.0.0.1 0:0:0:0:0:0:0:1), eth0 (10.1.2.3 10.2.0.9 fd00:0:0:0:0:0:0:2),"
          + " eth1 (192.168.4.5), ib0 (down, 10.9.0.1), ib1 (no address)]";

  private static final Path SYSTEM_LIST = Path.of("/sys/class/net");

  private static Interfaces.Found found(String name, boolean up, String... addresses) {
    return new Interfaces.Found(
        name, up, Stream.of(addresses).map(InterfacesTest::address).toList());
  }

  private static InetAddress address(String numeric) {
    try {
      return InetAddress.getByName(numeric);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "eth0, 10.1.2.3",
    "eth1, 192.168.4.5",
    "10.2.0.9, 10.2.0.9",
    "fd00::2, fd00::2",
    "10.2.0.0/16, 10.2.0.9",
    "10.0.0.0/8, 10.1.2.3",
    "10.1.2.2/31, 10.1.2.3",
    "fd00::/8, fd00::2",
    "0.0.0.0/0, 127.0.0.1",
    "none0;eth1, 192.168.4.5",
    "10.1.2.4/32;10.2.0.8/30;eth1, 10.2.0.8/30",
    "eth1;eth0, 192.168.4.5"
  })
  void shouldTakeTheFirstThatMatches(String selectors, String expected) {
    InetAddress chosen = HOST.choose(AeronSettings.INTERFACES, List.of(selectors.split(";")));

    assertThat(chosen).isEqualTo(address(expected.equals("10.2.0.8/30") ? "10.2.0.9" : expected));
  }

  @ParameterizedTest
  @ValueSource(strings = {"none0", "10.1.2.4", "10.1.2.0/31", "172.16.0.0/12", "fd01::/16"})
  void shouldListWhatThereIsWhenNothingMatches(String selector) {
    assertThatThrownBy(() -> HOST.choose(AeronSettings.INTERFACES, List.of(selector)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "tagfabric.aeron.interfaces: no interface of this host matches ["
                + selector
                + "]; "
                + LIST);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ib0", "10.9.0.1", "10.9.0.0/16", "ib1"})
  void shouldNotPassOverAnInterfaceThatIsDown(String selector) {
    assertThatThrownBy(() -> HOST.choose(AeronSettings.INTERFACES, List.of(selector, "eth0")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the interface that [" + selector + "] selects is down or has no")
        .hasMessageEndingWith(LIST);
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.1.0.0/33", "eth0/8", "10.1.0.0/", "256.1.1.1/8", "fd00::/129"})
  void shouldRefuseWhatIsNoSelectorAlthoughAnotherMatches(String selector) {
    assertThatThrownBy(() -> HOST.choose(AeronSettings.INTERFACES, List.of("eth0", selector)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[" + selector + "] is no address/bits")
        .hasMessageEndingWith(LIST);
  }

  @Test
  void shouldKnowTheInterfacesOfThisHost() throws Exception {
    Interfaces host = Interfaces.ofThisHost();
    NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());

    assertThat(
            host.choose(AeronSettings.INTERFACES, List.of(loopback.getName())).isLoopbackAddress())
        .isTrue();
    assertThat(host.choose(AeronSettings.INTERFACES, List.of("127.0.0.0/8")))
        .isEqualTo(address("127.0.0.1"));
  }

  /** Those without an address, too; and addresses that can be told to a peer. */
  @Test
  void shouldListEveryInterfaceOfThisHost() throws Exception {
    assumeTrue(Files.isDirectory(SYSTEM_LIST), "only Linux lists all of them");
    Interfaces host = Interfaces.ofThisHost();
    List<String> names;
    try (Stream<Path> entries = Files.list(SYSTEM_LIST)) {
      names = entries.map(entry -> entry.getFileName() + " (").toList();
    }

    assertThat(names).isNotEmpty();
    assertThatThrownBy(() -> host.choose(AeronSettings.INTERFACES, List.of("none0")))
        .hasMessageContainingAll(names.toArray(String[]::new))
        .message()
        .doesNotContain("%");
  }

  @Test
  void shouldBeUnavailableWithTheReason() {
    assertThat(unavailable("interfaces = none0"))
        .hasValueSatisfying(
            reason -> assertThat(reason).contains("aeron.interfaces", "[none0]", "there are"));
    assertThat(unavailable("interfaces = \"none0, 127.0.0.1\"")).isEmpty();
    assertThat(unavailable("")).isEmpty();
  }

  @Test
  void shouldRefuseTwoAnswersToTheSameQuestion() {
    assertThatThrownBy(() -> unavailable("interfaces = lo, tagfabric.aeron.host = localhost"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "tagfabric.aeron.host=localhost and tagfabric.aeron.interfaces=[lo] both say where to"
                + " listen, unset one of them");
  }

  private static Optional<String> unavailable(String settings) {
    Settings all =
        Settings.of(
            ConfigFactory.parseString(settings.isEmpty() ? "" : "tagfabric.aeron." + settings)
                .withFallback(ConfigFactory.load()));
    return new AeronProvider()
        .unavailableBecause(
            new WireContext(all, Optional.empty(), null, null, 1, 0, "vm", null, null, null, 1));
  }
}
