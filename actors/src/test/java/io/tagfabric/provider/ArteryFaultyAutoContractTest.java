package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;
import org.junit.jupiter.api.Tag;

/** A remoting that loses, doubles, delays and reorders packets, driven by its own threads. */
@Tag("exhaustive")
class ArteryFaultyAutoContractTest extends ProviderContractTest {
  ArteryFaultyAutoContractTest() {
    super(ContractSystems.faulty("artery"), ProgressMode.AUTO, 20_000);
  }
}
