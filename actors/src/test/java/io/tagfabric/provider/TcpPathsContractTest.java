package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;
import org.junit.jupiter.api.Tag;

/** Eight connections. */
@Tag("exhaustive")
class TcpPathsContractTest extends ProviderContractTest {
  TcpPathsContractTest() {
    super(ContractSystems.paths("tcp", "adaptive"), ProgressMode.AUTO, 20_000);
  }
}
