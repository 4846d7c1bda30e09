package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Eight streams of Aeron. */
class AeronPathsContractTest extends ProviderContractTest {
  AeronPathsContractTest() {
    super(ContractSystems.paths("aeron", "adaptive"), ProgressMode.AUTO, 20_000);
  }
}
