package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** The same driven by reading threads. */
class ShmMailboxManualContractTest extends ProviderContractTest {
  ShmMailboxManualContractTest() {
    super(ContractSystems.mailbox("shm", true), ProgressMode.MANUAL, 20_000);
  }
}
