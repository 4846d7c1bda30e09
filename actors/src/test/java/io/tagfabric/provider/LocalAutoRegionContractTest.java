package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Inside one JVM, driven by threads of their own. */
class LocalAutoRegionContractTest extends RegionContractTest {
  LocalAutoRegionContractTest() {
    super(ContractSystems.two("local"), ProgressMode.AUTO);
  }
}
