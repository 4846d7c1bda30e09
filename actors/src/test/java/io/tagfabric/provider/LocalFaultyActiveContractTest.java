package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Packets that are lost, doubled and swapped. */
class LocalFaultyActiveContractTest extends ActiveContractTest {
  LocalFaultyActiveContractTest() {
    super(ContractSystems.faulty("local"), ProgressMode.MANUAL);
  }
}
