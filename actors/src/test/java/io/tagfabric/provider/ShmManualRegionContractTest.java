package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Shared memory between two systems, driven by the test. */
class ShmManualRegionContractTest extends RegionContractTest {
  ShmManualRegionContractTest() {
    super(ContractSystems.two("shm"), ProgressMode.MANUAL);
  }
}
