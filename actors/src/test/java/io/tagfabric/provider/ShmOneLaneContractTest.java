package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;
import org.junit.jupiter.api.Tag;

/** Shared memory where the first sender has a lane and the others share the ring. */
@Tag("exhaustive")
class ShmOneLaneContractTest extends ProviderContractTest {
  ShmOneLaneContractTest() {
    super(ContractSystems.oneLane(), ProgressMode.MANUAL, 20_000);
  }
}
