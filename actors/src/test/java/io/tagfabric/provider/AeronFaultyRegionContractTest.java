package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Aeron with faults. */
class AeronFaultyRegionContractTest extends RegionContractTest {
  AeronFaultyRegionContractTest() {
    super(ContractSystems.faulty("aeron"), ProgressMode.AUTO);
  }
}
