package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Shared memory where each step between cores is a message. */
class ShmMailboxAutoContractTest extends ProviderContractTest {
  ShmMailboxAutoContractTest() {
    super(ContractSystems.mailbox("shm", true), ProgressMode.AUTO, 20_000);
  }
}
