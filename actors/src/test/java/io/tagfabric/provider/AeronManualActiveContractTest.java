package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;

/** Aeron between two systems, driven by the test. */
class AeronManualActiveContractTest extends ActiveContractTest {
  AeronManualActiveContractTest() {
    super(ContractSystems.two("aeron"), ProgressMode.MANUAL);
  }
}
