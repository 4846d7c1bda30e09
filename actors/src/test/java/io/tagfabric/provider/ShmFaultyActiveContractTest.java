package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;
import org.junit.jupiter.api.Tag;

/** Shared memory with faults. */
@Tag("exhaustive")
class ShmFaultyActiveContractTest extends ActiveContractTest {
  ShmFaultyActiveContractTest() {
    super(ContractSystems.faulty("shm"), ProgressMode.AUTO);
  }
}
