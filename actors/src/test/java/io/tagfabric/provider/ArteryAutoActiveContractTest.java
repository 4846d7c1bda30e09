package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Akka's remoting between two systems. */
class ArteryAutoActiveContractTest extends ActiveContractTest {
  ArteryAutoActiveContractTest() {
    super(ContractSystems.two("artery"), ProgressMode.AUTO);
  }
}
