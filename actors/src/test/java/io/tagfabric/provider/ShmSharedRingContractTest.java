package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Shared memory where all senders write into one ring. */
class ShmSharedRingContractTest extends ProviderContractTest {
  ShmSharedRingContractTest() {
    super(
        new ContractSystems("shm", true, "tagfabric.provider.shm.lanes = 0"),
        ProgressMode.MANUAL,
        20_000);
  }
}
