package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Aeron with faults. */
class AeronFaultyActiveContractTest extends ActiveContractTest {
  AeronFaultyActiveContractTest() {
    super(ContractSystems.faulty("aeron"), ProgressMode.AUTO);
  }
}
