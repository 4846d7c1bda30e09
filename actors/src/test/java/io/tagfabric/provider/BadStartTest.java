package io.tagfabric.provider;

import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many flows are set up at once while four packets of ten are lost or held back. */
class BadStartTest {
  @ParameterizedTest
  @MethodSource("io.tagfabric.provider.ContractSystems#providers")
  void shouldDeliverAllToAll(String provider) {
    meet(provider, ContractSystems.two(provider).crowd(), 8);
  }

  @Tag("exhaustive")
  @ParameterizedTest
  @MethodSource("io.tagfabric.provider.ContractSystems#providers")
  void shouldDeliverLongMessages(String provider) {
    meet(provider, 12, 100_000);
  }

  private static void meet(String provider, int count, int length) {
    ContractSystems systems = ContractSystems.hopeless(provider);
    systems.start();
    List<Domain> homes = new ArrayList<>();
    try {
      for (int i = 0; i < 2; i++) {
        homes.add(Fabric.get(systems.near()).openDomain("near-" + i, ProgressMode.AUTO));
        homes.add(Fabric.get(systems.far()).openDomain("far-" + i, ProgressMode.AUTO));
      }
      new Crowd(homes, count).meet(length, 4);
    } finally {
      homes.forEach(home -> home.close(Duration.ZERO));
      systems.stop();
    }
  }
}
