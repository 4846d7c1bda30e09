package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Inside one system, driven by the test. */
class LocalManualRegionContractTest extends RegionContractTest {
  LocalManualRegionContractTest() {
    super(ContractSystems.one("local"), ProgressMode.MANUAL);
  }
}
