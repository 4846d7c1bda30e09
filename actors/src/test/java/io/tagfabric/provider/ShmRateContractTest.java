package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Shared memory where progress threads wake up a thousand times a second at most. */
class ShmRateContractTest extends ProviderContractTest {
  ShmRateContractTest() {
    super(ContractSystems.progress("shm", true, "rate = 1000"), ProgressMode.AUTO, 20_000);
  }
}
