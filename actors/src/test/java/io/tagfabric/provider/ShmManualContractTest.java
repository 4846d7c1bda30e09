package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Shared memory between two systems, driven by the application. */
class ShmManualContractTest extends ProviderContractTest {
  ShmManualContractTest() {
    super(ContractSystems.two("shm"), ProgressMode.MANUAL, 100_000);
  }
}
