package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Shared memory between two systems, driven by their own threads. */
class ShmAutoContractTest extends ProviderContractTest {
  ShmAutoContractTest() {
    super(ContractSystems.two("shm"), ProgressMode.AUTO, 100_000);
  }
}
