package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;
import org.junit.jupiter.api.Tag;

/** The aeron provider where each step between cores is a message. */
@Tag("exhaustive")
class AeronMailboxAutoContractTest extends ProviderContractTest {
  AeronMailboxAutoContractTest() {
    super(ContractSystems.mailbox("aeron", true), ProgressMode.AUTO, 20_000);
  }
}
