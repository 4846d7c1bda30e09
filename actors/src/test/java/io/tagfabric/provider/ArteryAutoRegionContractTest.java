package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Akka's remoting between two systems. */
class ArteryAutoRegionContractTest extends RegionContractTest {
  ArteryAutoRegionContractTest() {
    super(ContractSystems.two("artery"), ProgressMode.AUTO);
  }
}
