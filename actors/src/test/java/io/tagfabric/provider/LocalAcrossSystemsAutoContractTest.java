package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** The local provider between two systems, driven by their own threads. */
class LocalAcrossSystemsAutoContractTest extends ProviderContractTest {
  LocalAcrossSystemsAutoContractTest() {
    super(ContractSystems.two("local"), ProgressMode.AUTO, 100_000);
  }
}
