package io.tagfabric.provider;

import io.tagfabric.progress.ProgressMode;
import org.junit.jupiter.api.Tag;

/** The artery provider where each step between cores is a message. */
@Tag("exhaustive")
class ArteryMailboxAutoContractTest extends ProviderContractTest {
  ArteryMailboxAutoContractTest() {
    super(ContractSystems.mailbox("artery", true), ProgressMode.AUTO, 20_000);
  }
}
