package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Shared memory where the progress threads alone make progress. */
class ShmExclusiveContractTest extends ProviderContractTest {
  ShmExclusiveContractTest() {
    super(
        ContractSystems.progress("shm", true, "poll-mode = exclusive"), ProgressMode.AUTO, 20_000);
  }
}
