package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Eight roads, one of them for the data of a sender. */
class StaticSourcePathsContractTest extends ProviderContractTest {
  StaticSourcePathsContractTest() {
    super(ContractSystems.paths("roads", "static-src"), ProgressMode.AUTO, 20_000);
  }
}
