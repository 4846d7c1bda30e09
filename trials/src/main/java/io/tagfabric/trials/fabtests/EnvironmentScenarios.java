package io.tagfabric.trials.fabtests;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.cluster.settings.SettingsException;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.FabricSettings;
import java.util.List;
import java.util.Map;

/** What the environment says, and what is made of nonsense in it. */
final class EnvironmentScenarios {
  private EnvironmentScenarios() {}

  static List<Scenario> all() {
    return List.of(
        new Scenario(
            "variables",
            "env",
            "setopt_test",
            "a variable counts, and a wrong one is named",
            EnvironmentScenarios::variables),
        new Scenario(
            "unknown-provider",
            "env",
            "getinfo_test",
            "a provider that is not there is refused",
            EnvironmentScenarios::unknownProvider));
  }

  private static void variables(Side side) {
    String variable = FabricSettings.INJECT_SIZE.variable();
    Settings told = Settings.of(ConfigFactory.load(), Map.of(variable, "17 B"));
    Wrong.unless(told.get(FabricSettings.INJECT_SIZE) == 17, variable + " has no effect");
    try {
      Settings.of(ConfigFactory.load(), Map.of(variable, "many")).get(FabricSettings.INJECT_SIZE);
    } catch (SettingsException refusal) {
      Wrong.unless(
          refusal.getMessage().contains(variable), () -> "not named: " + refusal.getMessage());
      return;
    }
    throw new Wrong(variable + "=many is taken");
  }

  private static void unknownProvider(Side side) {
    CompletionQueue queue = side.domain().openCompletionQueue(4);
    try {
      side.domain()
          .openEndpoint(
              "nobody",
              queue,
              queue,
              side.domain().endpointDefaults().withProviders(List.of("no-such-provider")));
    } catch (FabricException refusal) {
      Wrong.unless(
          refusal.error() == FabricError.NO_DATA
              && refusal.getMessage().contains("no-such-provider"),
          () -> "refused with " + refusal);
      return;
    }
    throw new Wrong("a provider that is not there is taken");
  }
}
