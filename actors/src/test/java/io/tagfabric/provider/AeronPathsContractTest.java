package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;
import org.junit.jupiter.api.Tag;

/** Eight streams of Aeron. */
@Tag("exhaustive")
class AeronPathsContractTest extends ProviderContractTest {
  AeronPathsContractTest() {
    super(ContractSystems.paths("aeron", "adaptive"), ProgressMode.AUTO, 20_000);
  }
}
