package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Artery over TCP, driven by its own threads. */
class ArteryAutoContractTest extends ProviderContractTest {
  ArteryAutoContractTest() {
    super(ContractSystems.two("artery"), ProgressMode.AUTO, 20_000);
  }
}
