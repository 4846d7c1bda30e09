package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Aeron over loopback UDP, driven by its own threads. */
class AeronAutoContractTest extends ProviderContractTest {
  AeronAutoContractTest() {
    super(ContractSystems.two("aeron"), ProgressMode.AUTO, 20_000);
  }
}
