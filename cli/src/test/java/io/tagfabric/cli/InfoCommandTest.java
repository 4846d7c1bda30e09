package io.tagfabric.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.fabric.FabricSettings;
import io.tagfabric.provider.Interfaces;
import io.tagfabric.provider.Provider;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class InfoCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int info(String... options) {
    String[] args = new String[options.length + 1];
    args[0] = "info";
    System.arraycopy(options, 0, args, 1, options.length);
    return Tagfabric.execute(new PrintWriter(out), new PrintWriter(err), args);
  }

  @Test
  void shouldShowABlockForEachProvider() {
    assertThat(info()).isZero();
    assertThat(out.toString().lines())
        .contains("provider: local", "provider: artery", "    type: RDM")
        .anyMatch(line -> line.matches(" {4}version: \\d+\\.\\d+"));
  }

  @Test
  void shouldListProvidersWithTheirVersions() {
    assertThat(info("-l", "-p", "local")).isZero();
    assertThat(out.toString()).matches("local:\\R {4}version: \\d+\\.\\d+\\R");
  }

  @Test
  void shouldSeparateProvidersWhenVerbose() {
    assertThat(info("-v")).isZero();
    assertThat(out.toString().lines())
        .contains("---")
        .anyMatch(line -> line.contains("max_msg_size"));
  }

  @Test
  void shouldPrintAnObjectForEachKindOfEachProviderWhenAskedForJson() {
    assertThat(info("--json")).isZero();

    List<Config> rows = rows();
    assertThat(rows)
        .extracting(row -> row.getString("provider") + " " + row.getString("type"))
        .contains("local RDM", "shm RDM", "tcp RDM", "artery RDM", "local DGRAM", "aeron DGRAM")
        .doesNotHaveDuplicates();
    assertThat(rows)
        .allSatisfy(
            row -> {
              assertThat(row.getStringList("caps")).contains("TAGGED");
              assertThat(row.getInt("max_packet_bytes")).isPositive();
              assertThat(row.getInt("inject_bytes")).isEqualTo(64);
              assertThat(row.getString("progress")).isEqualTo("auto");
            });
    assertThat(rows)
        .filteredOn(row -> row.getInt("preference") == 1 && row.getString("type").equals("RDM"))
        .singleElement()
        .satisfies(
            first -> {
              assertThat(first.getString("provider")).isEqualTo("local");
              assertThat(first.getBoolean("reliable")).isTrue();
              assertThat(first.getStringList("caps")).doesNotContain("REMOTE_COMM");
            });
  }

  @Test
  void shouldPrintAnObjectForEachSettingWhenAskedForJson() {
    assertThat(info("--json", "-g", "inject")).isZero();

    assertThat(rows())
        .filteredOn(row -> row.getString("key").equals("tagfabric.endpoint.inject-size"))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.getString("variable")).isEqualTo("TAGFABRIC_ENDPOINT_INJECT_SIZE");
              assertThat(row.getString("value")).isEqualTo("64 B");
              assertThat(row.getString("help")).isNotBlank();
            });
  }

  @Test
  void shouldShowTheOrderOfTheProvidersThatAreUsedUnasked() {
    assertThat(info("--json")).isZero();

    assertThat(rows())
        .filteredOn(row -> row.getInt("preference") > 0 && row.getString("type").equals("RDM"))
        .extracting(row -> row.getString("provider"))
        .containsExactly("local", "shm", "tcp", "artery");
  }

  private List<Config> rows() {
    return out.toString().lines().map(ConfigFactory::parseString).toList();
  }

  @Test
  void shouldListTheInterfacesOfThisHostAndWhereProvidersListen() throws Exception {
    String loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()).getName();
    assertThat(info("--interfaces")).isZero();
    assertThat(out.toString().lines())
        .first(InstanceOfAssertFactories.STRING)
        .matches("interface +up +aeron +tcp +addresses");
    assertThat(out.toString().lines())
        .filteredOn(line -> line.startsWith(loopback + " "))
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains(" yes ", "127.0.0.1");

    out.getBuffer().setLength(0);
    assertThat(info("-i", "--json")).isZero();
    assertThat(rows())
        .filteredOn(row -> row.getString("interface").equals(loopback))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.getBoolean("up")).isTrue();
              assertThat(row.getStringList("addresses")).contains("127.0.0.1");
              assertThat(row.getString("tcp")).isEqualTo("127.0.0.1");
              assertThat(row.getInt("tcp_rail")).isZero();
              assertThat(row.getString("aeron")).isEqualTo("127.0.0.1");
            });
  }

  @Test
  void shouldListInterfacesThatTheSettingsDoNotSelectAndSaySo() throws Exception {
    Interfaces host =
        new Interfaces(
            List.of(
                new Interfaces.Found("down0", false, List.of()),
                new Interfaces.Found("eth0", true, List.of(InetAddress.getByName("10.1.0.7")))));
    print(host, "[\"10.0.0.0/8\"]");
    assertThat(out.toString().lines())
        .anyMatch(line -> line.matches("down0 +no +- +-"))
        .anyMatch(line -> line.matches("eth0 +yes +10.1.0.7 +10.1.0.7 +10.1.0.7"));

    out.getBuffer().setLength(0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> print(host, "[\"down0\"]"))
        .withMessageContaining("down or has no address");
    assertThat(out.toString().lines()).hasSize(3).noneMatch(line -> line.contains("10.1.0.7  "));
  }

  private void print(Interfaces host, String selectors) {
    Config config =
        ConfigFactory.parseString(
                "tagfabric { aeron.interfaces = "
                    + selectors
                    + ", tcp.interfaces = "
                    + selectors
                    + " }")
            .withFallback(ConfigFactory.load());
    new InterfaceList(host, Settings.of(config)).print(new PrintWriter(out), false);
  }

  @Test
  void shouldListEachInterfaceThatMatchesAsARail() throws Exception {
    Interfaces host =
        new Interfaces(
            List.of(
                new Interfaces.Found("eth0", true, List.of(InetAddress.getByName("10.1.0.7"))),
                new Interfaces.Found("eth1", true, List.of(InetAddress.getByName("10.2.0.7")))));
    print(host, "[\"eth1\", \"eth7\", \"10.0.0.0/8\", \"eth0\"]");

    assertThat(out.toString().lines())
        .anyMatch(line -> line.matches("eth0 +yes +- +10.1.0.7 \\(rail 1\\) +10.1.0.7"))
        .anyMatch(line -> line.matches("eth1 +yes +10.2.0.7 +10.2.0.7 \\(rail 0\\) +10.2.0.7"));
  }

  @Test
  void shouldEndWithNoDataWhenNothingFits() {
    assertThat(info("-p", "psm3")).isEqualTo(61);
    assertThat(info("-g", "no such setting")).isEqualTo(61);
    assertThat(err.toString().lines())
        .hasSize(2)
        .allMatch(l -> l.contains("-61 (No data available)"));
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void shouldShowEverySettingThatReferenceConfHolds() {
    assertThat(info("--env")).isZero();

    String listed = out.toString();
    ConfigFactory.defaultReference().getConfig("tagfabric").entrySet().stream()
        .map(java.util.Map.Entry::getKey)
        .filter(key -> !key.startsWith("environment-variables"))
        .filter(key -> !key.startsWith("progress.dispatcher"))
        .filter(key -> !key.startsWith("mailbox."))
        .forEach(
            key -> {
              String variable = key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
              assertThat(listed).contains("\nTAGFABRIC_" + variable + "=");
            });
  }

  @Test
  void shouldShowOnlySettingsWithTheText() {
    assertThat(info("-g", "inject")).isZero();
    assertThat(out.toString()).contains("TAGFABRIC_ENDPOINT_INJECT_SIZE=64 B");
    assertThat(out.toString()).doesNotContain("TAGFABRIC_FLOW_PING=");
  }

  @Test
  void shouldRefuseAnUnknownOption() {
    assertThat(info("--bogus")).isEqualTo(2);
    assertThat(err.toString()).startsWith("tagfabric info: unknown option: '--bogus'");
  }

  @Test
  void shouldShowOnlyWhatHasTheCapabilitiesAskedFor() {
    assertThat(info("--json", "-c", "FI_TAGGED|source", "-t", "RDM")).isZero();

    List<Config> rows = rows();
    assertThat(rows)
        .extracting(row -> row.getString("provider"))
        .containsExactlyElementsOf(inOrderOfUse());
    assertThat(rows)
        .allMatch(row -> row.getInt("tag_bits") == 64)
        .allMatch(row -> row.getStringList("caps").contains("SOURCE"))
        .noneMatch(row -> row.getStringList("caps").contains("DIRECTED_RECV"));
  }

  private static List<String> inOrderOfUse() {
    List<String> used = Settings.of(ConfigFactory.load()).get(FabricSettings.PROVIDERS);
    Stream<String> others =
        Provider.installed().stream().map(Provider::name).filter(name -> !used.contains(name));
    return Stream.concat(used.stream(), others.sorted()).toList();
  }

  @Test
  void shouldNotShowWhatCannotReachOthersToThoseWhoAskForIt() {
    assertThat(info("--json", "-c", "REMOTE_COMM")).isZero();
    assertThat(rows()).extracting(row -> row.getString("provider")).doesNotContain("local");
  }

  @Test
  void shouldTellWhatNobodyHasFromWhatNobodyKnows() {
    assertThat(info("-c", "MULTICAST")).isEqualTo(61);
    assertThat(info("-t", "MSG", "-c", "TAGGED")).isEqualTo(61);
    assertThat(info("-t", "DGRAM", "-c", "TAGGED|FENCE")).isEqualTo(61);
    assertThat(info("-c", "TAGGED|NOSUCH")).isEqualTo(2);
    assertThat(info("-t", "STREAM")).isEqualTo(2);
    assertThat(err.toString())
        .contains("unrecognized capability: NOSUCH", "unrecognized endpoint type: STREAM");
    assertThat(out.toString()).isEmpty();
  }
}
