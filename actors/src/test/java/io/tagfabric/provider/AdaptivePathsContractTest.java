package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Eight roads that overtake each other, long messages spread over seven. */
class AdaptivePathsContractTest extends ProviderContractTest {
  AdaptivePathsContractTest() {
    super(ContractSystems.paths("roads", "adaptive"), ProgressMode.MANUAL, 20_000);
  }
}
