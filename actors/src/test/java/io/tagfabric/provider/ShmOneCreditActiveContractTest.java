package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Shared memory between two systems, with credit for one request at a time. */
class ShmOneCreditActiveContractTest extends ActiveContractTest {
  ShmOneCreditActiveContractTest() {
    super(ContractSystems.oneCredit("shm"), ProgressMode.AUTO);
  }
}
