package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;
import org.junit.jupiter.api.Tag;

/** Eight roads of which the first is used. */
@Tag("exhaustive")
class BasePathContractTest extends ProviderContractTest {
  BasePathContractTest() {
    super(ContractSystems.paths("roads", "static-base"), ProgressMode.MANUAL, 20_000);
  }
}
