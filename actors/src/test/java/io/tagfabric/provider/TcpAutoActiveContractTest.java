package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** TCP over loopback between two systems, driven by their own threads. */
class TcpAutoActiveContractTest extends ActiveContractTest {
  TcpAutoActiveContractTest() {
    super(ContractSystems.two("tcp"), ProgressMode.AUTO);
  }
}
