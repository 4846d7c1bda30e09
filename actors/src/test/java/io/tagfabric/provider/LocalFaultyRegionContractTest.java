package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Packets that are lost, doubled and swapped. */
class LocalFaultyRegionContractTest extends RegionContractTest {
  LocalFaultyRegionContractTest() {
    super(ContractSystems.faulty("local"), ProgressMode.MANUAL);
  }
}
