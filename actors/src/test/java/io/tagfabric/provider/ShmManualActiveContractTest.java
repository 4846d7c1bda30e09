package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Shared memory between two systems, driven by the test. */
class ShmManualActiveContractTest extends ActiveContractTest {
  ShmManualActiveContractTest() {
    super(ContractSystems.two("shm"), ProgressMode.MANUAL);
  }
}
