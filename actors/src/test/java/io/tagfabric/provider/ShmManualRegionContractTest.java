package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Shared memory between two systems, driven by the test. */
class ShmManualRegionContractTest extends RegionContractTest {
  ShmManualRegionContractTest() {
    super(ContractSystems.two("shm"), ProgressMode.MANUAL);
  }

  @Override
  int outstanding() {
    return 65_535;
  }

  @Override
  int stormLength() {
    return 5_000;
  }

  @Override
  int longStormLength() {
    return 500_000;
  }
}
