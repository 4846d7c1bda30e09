package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** TCP over loopback between two systems, driven by the test. */
class TcpManualRegionContractTest extends RegionContractTest {
  TcpManualRegionContractTest() {
    super(ContractSystems.two("tcp"), ProgressMode.MANUAL);
  }
}
