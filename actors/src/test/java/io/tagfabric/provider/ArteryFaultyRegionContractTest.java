package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;
import org.junit.jupiter.api.Tag;

/** Akka's remoting with faults. */
@Tag("exhaustive")
class ArteryFaultyRegionContractTest extends RegionContractTest {
  ArteryFaultyRegionContractTest() {
    super(ContractSystems.faulty("artery"), ProgressMode.AUTO);
  }
}
