package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;
import org.junit.jupiter.api.Tag;

/** Eight lanes of Artery over TCP. */
@Tag("exhaustive")
class ArteryPathsContractTest extends ProviderContractTest {
  ArteryPathsContractTest() {
    super(ContractSystems.paths("artery", "adaptive"), ProgressMode.AUTO, 20_000);
  }
}
