package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** TCP over loopback where each step between cores is a message. */
class TcpMailboxAutoContractTest extends ProviderContractTest {
  TcpMailboxAutoContractTest() {
    super(ContractSystems.mailbox("tcp", true), ProgressMode.AUTO, 20_000);
  }
}
