package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** The local provider between two systems, driven by the application. */
class LocalAcrossSystemsManualContractTest extends ProviderContractTest {
  LocalAcrossSystemsManualContractTest() {
    super(ContractSystems.two("local"), ProgressMode.MANUAL, 100_000);
  }
}
