package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;
import org.junit.jupiter.api.Tag;

/** Eight roads, one of them for the data of a sender. */
@Tag("exhaustive")
class StaticSourcePathsContractTest extends ProviderContractTest {
  StaticSourcePathsContractTest() {
    super(ContractSystems.paths("roads", "static-src"), ProgressMode.AUTO, 20_000);
  }
}
