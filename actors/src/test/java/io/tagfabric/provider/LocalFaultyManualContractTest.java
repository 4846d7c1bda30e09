package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Packets are lost, doubled, late and out of order; driven by the application. */
class LocalFaultyManualContractTest extends ProviderContractTest {
  LocalFaultyManualContractTest() {
    super(ContractSystems.faulty("local"), ProgressMode.MANUAL, 20_000);
  }
}
