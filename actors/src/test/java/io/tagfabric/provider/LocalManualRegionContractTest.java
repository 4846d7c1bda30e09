package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Inside one system, driven by the test. */
class LocalManualRegionContractTest extends RegionContractTest {
  LocalManualRegionContractTest() {
    super(ContractSystems.one("local"), ProgressMode.MANUAL);
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
