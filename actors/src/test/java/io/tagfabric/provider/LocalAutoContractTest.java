package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** The local provider between two domains of one system, driven by their own threads. */
class LocalAutoContractTest extends ProviderContractTest {
  LocalAutoContractTest() {
    super(ContractSystems.one("local"), ProgressMode.AUTO, 100_000);
  }
}
