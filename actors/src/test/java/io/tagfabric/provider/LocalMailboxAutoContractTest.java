package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** The local provider where each step between cores is a message. */
class LocalMailboxAutoContractTest extends ProviderContractTest {
  LocalMailboxAutoContractTest() {
    super(ContractSystems.mailbox("local", false), ProgressMode.AUTO, 20_000);
  }
}
