package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** TCP over loopback between two systems, driven by the application. */
class TcpManualContractTest extends ProviderContractTest {
  TcpManualContractTest() {
    super(ContractSystems.two("tcp"), ProgressMode.MANUAL, 20_000);
  }
}
