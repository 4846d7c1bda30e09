package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Shared memory where all senders write into one ring. */
class ShmSharedRingContractTest extends ProviderContractTest {
  ShmSharedRingContractTest() {
    super(ContractSystems.sharedRing(), ProgressMode.MANUAL, 20_000);
  }
}
