package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Shared memory between cores that hand over by mailbox. */
class ShmMailboxRegionContractTest extends RegionContractTest {
  ShmMailboxRegionContractTest() {
    super(ContractSystems.mailbox("shm", true), ProgressMode.AUTO);
  }
}
