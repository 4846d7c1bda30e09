package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/** Shared memory where one thread has each domain for itself. */
class ShmOneThreadContractTest extends ProviderContractTest {
  ShmOneThreadContractTest() {
    super(ContractSystems.progress("shm", true, "threads = one"), ProgressMode.MANUAL, 20_000);
  }

  @Test
  @Override
  @Disabled("several threads must not call here: OneThreadDomainTest shows that they are refused")
  void shouldServeAllThreadsWhenEachWaitsForItsOwnEndpoint() {}
}
