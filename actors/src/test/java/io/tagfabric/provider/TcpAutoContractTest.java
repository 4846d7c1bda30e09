package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** TCP over loopback between two systems, driven by their own threads. */
class TcpAutoContractTest extends ProviderContractTest {
  TcpAutoContractTest() {
    super(ContractSystems.two("tcp"), ProgressMode.AUTO, 20_000);
  }
}
