package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Aeron between two systems, driven by the test. */
class AeronManualRegionContractTest extends RegionContractTest {
  AeronManualRegionContractTest() {
    super(ContractSystems.two("aeron"), ProgressMode.MANUAL);
  }
}
