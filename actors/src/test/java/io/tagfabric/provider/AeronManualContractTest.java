package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Aeron over loopback UDP, driven by the application. */
class AeronManualContractTest extends ProviderContractTest {
  AeronManualContractTest() {
    super(ContractSystems.two("aeron"), ProgressMode.MANUAL, 20_000);
  }
}
