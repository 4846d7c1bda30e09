package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.progress.ProgressMode;
import io.tagfabric.provider.lossy.LossyProvider;
import org.junit.jupiter.api.AfterAll;

/** A provider that loses and reorders packets, driven by the application. */
class LossyManualContractTest extends ProviderContractTest {
  LossyManualContractTest() {
    super(ContractSystems.two("lossy"), ProgressMode.MANUAL, 20_000);
  }

  @AfterAll
  static void shouldHaveLostPackets() {
    assertThat(LossyProvider.dropped()).isPositive();
  }
}
