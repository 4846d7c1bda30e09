package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;
import org.junit.jupiter.api.Tag;

/** A UDP channel that loses, doubles, delays and reorders packets, driven by its own threads. */
@Tag("exhaustive")
class AeronFaultyAutoContractTest extends ProviderContractTest {
  AeronFaultyAutoContractTest() {
    super(ContractSystems.faulty("aeron"), ProgressMode.AUTO, 20_000);
  }
}
