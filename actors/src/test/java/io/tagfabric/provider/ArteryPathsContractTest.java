package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Eight lanes of Artery over TCP. */
class ArteryPathsContractTest extends ProviderContractTest {
  ArteryPathsContractTest() {
    super(ContractSystems.paths("artery", "adaptive"), ProgressMode.AUTO, 20_000);
  }
}
