package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** The same driven by reading threads. */
class LocalMailboxManualContractTest extends ProviderContractTest {
  LocalMailboxManualContractTest() {
    super(ContractSystems.mailbox("local", false), ProgressMode.MANUAL, 20_000);
  }
}
