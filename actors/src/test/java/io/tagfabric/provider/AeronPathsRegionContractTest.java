package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;
import org.junit.jupiter.api.Tag;

/** Aeron by eight paths. */
@Tag("exhaustive")
class AeronPathsRegionContractTest extends RegionContractTest {
  AeronPathsRegionContractTest() {
    super(ContractSystems.paths("aeron", "adaptive"), ProgressMode.AUTO);
  }
}
