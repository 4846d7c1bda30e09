package io.tagfabric.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.launch.hosts.Host;
import io.tagfabric.launch.hosts.HostPlan;
import io.tagfabric.launch.hosts.Placement;
import io.tagfabric.launch.hosts.Spawner;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HostArgumentsTest {
  private static final Optional<String> NONE = Optional.empty();
  private static final Optional<Integer> ALL = Optional.empty();
  private static final Optional<String> TWO = Optional.of("127.0.0.1,127.0.0.2");

  @Test
  void shouldTakeTheOptionBeforeTheVariableBeforeTheConfiguration() {
    Map<String, String> variable = Map.of("TAGFABRIC_LAUNCH_SPAWNER", "command b %C");
    String configured = "tagfabric.launch.spawner = \"command c %C\"";

    assertThat(spawner(Optional.of("command a %C"), configured, variable)).isEqualTo("a");
    assertThat(spawner(NONE, configured, variable)).isEqualTo("b");
    assertThat(spawner(NONE, configured, Map.of())).isEqualTo("c");
    assertThat(spawner(NONE, "", Map.of())).isEqualTo("ssh");
  }

  @Test
  void shouldTakeTheSshCommandLikewise() {
    Map<String, String> variable = Map.of("TAGFABRIC_LAUNCH_SSH", "ssh -p 1");

    assertThat(ssh(Optional.of("ssh -p 2"), variable)).containsExactly("ssh", "-p", "2");
    assertThat(ssh(NONE, variable)).containsExactly("ssh", "-p", "1");
    assertThat(ssh(NONE, Map.of())).containsExactly("ssh");
  }

  @Test
  void shouldRunHereWhenNoHostIsNamed() {
    assertThat(arguments(NONE, ALL, NONE).plan(settings("", Map.of()))).isEmpty();
    assertThat(arguments(NONE, ALL, Optional.of("local")).plan(settings("", Map.of()))).isEmpty();
  }

  @Test
  void shouldTakeLoopbackAddressesWhenOnlyTheirNumberIsGiven() {
    HostPlan plan =
        arguments(NONE, Optional.of(2), Optional.of("local"))
            .plan(settings("", Map.of()))
            .orElseThrow();

    assertThat(plan.hosts()).extracting(Host::address).containsExactly("127.0.0.1", "127.0.0.2");
  }

  @Test
  void shouldRefuseWhatDoesNotFit() {
    requireRefusal(arguments(NONE, Optional.of(2), NONE), "-N=2 names no hosts");
    requireRefusal(arguments(NONE, Optional.of(0), Optional.of("local")), "-N: hosts=0 < 1");
    requireRefusal(arguments(NONE, ALL, Optional.of("ssh")), "--spawner=ssh needs hosts");
    requireRefusal(arguments(TWO, Optional.of(3), NONE), "-N: hosts=3 are wanted");
    requireRefusal(arguments(TWO, ALL, Optional.of("rsh")), "spawner 'rsh' is unknown");
    requireRefusal(
        new HostArguments(TWO, Optional.of(Path.of("f")), ALL, NONE, NONE, Placement.BLOCK),
        "--hosts and --hostfile both name hosts");
  }

  private static void requireRefusal(HostArguments arguments, String message) {
    assertThatThrownBy(() -> arguments.plan(settings("", Map.of())))
        .hasMessageStartingWith(message);
  }

  private static String spawner(
      Optional<String> option, String configured, Map<String, String> variables) {
    Spawner chosen =
        arguments(TWO, ALL, option).plan(settings(configured, variables)).orElseThrow().spawner();
    return chosen instanceof Spawner.Command command ? command.template().get(0) : chosen.name();
  }

  private static List<String> ssh(Optional<String> option, Map<String, String> variables) {
    HostArguments arguments =
        new HostArguments(TWO, Optional.empty(), ALL, NONE, option, Placement.BLOCK);
    return ((Spawner.Ssh) arguments.plan(settings("", variables)).orElseThrow().spawner())
        .command();
  }

  private static HostArguments arguments(
      Optional<String> hosts, Optional<Integer> count, Optional<String> spawner) {
    return new HostArguments(hosts, Optional.empty(), count, spawner, NONE, Placement.BLOCK);
  }

  private static Settings settings(String configured, Map<String, String> variables) {
    return Settings.of(
        ConfigFactory.parseString(configured).withFallback(ConfigFactory.load()), variables);
  }
}
