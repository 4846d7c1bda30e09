package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Packets are lost, doubled, late and out of order; driven by its own threads. */
class LocalFaultyAutoContractTest extends ProviderContractTest {
  LocalFaultyAutoContractTest() {
    super(ContractSystems.faulty("local"), ProgressMode.AUTO, 20_000);
  }
}
