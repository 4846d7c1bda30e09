package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Inside one JVM, driven by threads of their own. */
class LocalAutoActiveContractTest extends ActiveContractTest {
  LocalAutoActiveContractTest() {
    super(ContractSystems.two("local"), ProgressMode.AUTO);
  }
}
