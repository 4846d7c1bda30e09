package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** A remoting that loses, doubles, delays and reorders packets, driven by its own threads. */
class ArteryFaultyAutoContractTest extends ProviderContractTest {
  ArteryFaultyAutoContractTest() {
    super(ContractSystems.faulty("artery"), ProgressMode.AUTO, 20_000);
  }
}
