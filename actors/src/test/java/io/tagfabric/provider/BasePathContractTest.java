package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Eight roads of which the first is used. */
class BasePathContractTest extends ProviderContractTest {
  BasePathContractTest() {
    super(ContractSystems.paths("roads", "static-base"), ProgressMode.MANUAL, 20_000);
  }
}
