package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Shared memory where the clock wakes the progress threads. */
class ShmIntervalContractTest extends ProviderContractTest {
  ShmIntervalContractTest() {
    super(ContractSystems.progress("shm", true, "interval = 500 us"), ProgressMode.AUTO, 20_000);
  }
}
