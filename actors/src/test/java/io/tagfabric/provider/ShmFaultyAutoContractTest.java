package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** A shared ring that loses, doubles, delays and reorders packets, driven by its own threads. */
class ShmFaultyAutoContractTest extends ProviderContractTest {
  ShmFaultyAutoContractTest() {
    super(ContractSystems.faulty("shm"), ProgressMode.AUTO, 20_000);
  }
}
