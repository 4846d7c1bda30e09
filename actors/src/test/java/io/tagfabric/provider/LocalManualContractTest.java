package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** The local provider between two domains of one system, driven by the application. */
class LocalManualContractTest extends ProviderContractTest {
  LocalManualContractTest() {
    super(ContractSystems.one("local"), ProgressMode.MANUAL, 100_000);
  }
}
