package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Cores that hand over by mailbox. */
class LocalMailboxRegionContractTest extends RegionContractTest {
  LocalMailboxRegionContractTest() {
    super(ContractSystems.mailbox("local", false), ProgressMode.MANUAL);
  }
}
