package io.tagfabric.trials.fabtests;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.cluster.settings.SettingsException;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Capability;
import io.tagfabric.fabric.EndpointKind;
import io.tagfabric.fabric.FabricHints;
import io.tagfabric.fabric.FabricInfo;
import io.tagfabric.fabric.FabricSettings;
import java.util.List;
import java.util.Map;

/** What the environment says, and what is made of nonsense in it. */
final class EnvironmentScenarios {
  private EnvironmentScenarios() {}

  static List<Scenario> all() {
    return List.of(
        new Scenario(
            "getinfo",
            "env",
            "getinfo_test",
            "what fits a request has it, and no primary capability unasked",
            EnvironmentScenarios::information),
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

  private static void information(Side side) {
    for (Capability one : Capability.values()) {
      for (Capability other : Capability.values()) {
        FabricHints hints = FabricHints.any().with(one).with(other);
        for (FabricInfo info : find(side, hints)) {
          Wrong.unless(
              info.capabilities().containsAll(hints.capabilities()),
              () -> info + " lacks " + hints);
          Wrong.unless(
              !info.capabilities().contains(Capability.TAGGED)
                  || hints.capabilities().contains(Capability.TAGGED),
              () -> info + " has TAGGED unasked, for " + hints);
        }
      }
    }
    FabricHints usual = FabricHints.any().with(Capability.TAGGED).withKind(EndpointKind.RDM);
    Wrong.unless(!find(side, usual).isEmpty(), "nothing has tagged messages");
    FabricInfo first = find(side, usual).get(0);
    int most = side.domain().endpointDefaults().maxMessageBytes();
    Wrong.unless(first.maxMessageBytes() == most, () -> first + " is not longest=" + most);
    Wrong.unless(find(side, usual.withSizes(most + 1L, 0)).isEmpty(), "too long a message fits");
    Wrong.unless(find(side, FabricHints.any().with(Capability.MULTICAST)).isEmpty(), "multicast");
  }

  private static List<FabricInfo> find(Side side, FabricHints hints) {
    try {
      return side.fabric().info(hints);
    } catch (FabricException nothing) {
      Wrong.unless(nothing.error() == FabricError.NO_DATA, () -> "refused with " + nothing);
      return List.of();
    }
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
