package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** One JVM where the progress thread alone makes progress. */
class LocalExclusiveContractTest extends ProviderContractTest {
  LocalExclusiveContractTest() {
    super(
        ContractSystems.progress("local", false, "poll-mode = exclusive, resident-idle = park"),
        ProgressMode.AUTO,
        20_000);
  }
}
