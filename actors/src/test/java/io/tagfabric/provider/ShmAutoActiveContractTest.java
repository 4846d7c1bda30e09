package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Shared memory between two systems, driven by their own threads. */
class ShmAutoActiveContractTest extends ActiveContractTest {
  ShmAutoActiveContractTest() {
    super(ContractSystems.two("shm"), ProgressMode.AUTO);
  }
}
