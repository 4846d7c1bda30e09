package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Cores that hand over by mailbox. */
class LocalMailboxActiveContractTest extends ActiveContractTest {
  LocalMailboxActiveContractTest() {
    super(ContractSystems.mailbox("local", false), ProgressMode.MANUAL);
  }
}
