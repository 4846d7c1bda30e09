package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Artery over TCP, driven by the application. */
class ArteryManualContractTest extends ProviderContractTest {
  ArteryManualContractTest() {
    super(ContractSystems.two("artery"), ProgressMode.MANUAL, 20_000);
  }
}
