package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Eight roads, one of them for the data to a receiver. */
class StaticDestinationPathsContractTest extends ProviderContractTest {
  StaticDestinationPathsContractTest() {
    super(ContractSystems.paths("roads", "static-dest"), ProgressMode.MANUAL, 20_000);
  }
}
