package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.complete.Completion;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Shared memory where one thread has each domain for itself. */
class ShmOneThreadContractTest extends ProviderContractTest {
  ShmOneThreadContractTest() {
    super(ContractSystems.progress("shm", true, "threads = one"), ProgressMode.MANUAL, 20_000);
  }

  /** Here the others are refused, and the one that has the domain is served on. */
  @Test
  @Override
  void shouldServeAllThreadsWhenEachWaitsForItsOwnEndpoint() throws InterruptedException {
    byte[] first = near.post(toFar, 8, 1, 0);
    AtomicReference<RuntimeException> refusal = new AtomicReference<>();

    Thread other =
        new Thread(
            () -> {
              try {
                near.endpoint.receiveQueue().readBlocking(Duration.ofSeconds(20));
              } catch (IllegalStateException refused) {
                refusal.set(refused);
              }
            },
            "other");
    other.start();
    other.join();
    far.send(fromNear, Side.pattern(8, 1), 1);
    until("the message", () -> !near.received.isEmpty());

    assertThat(refusal.get()).hasMessageContaining("[other]").hasMessageContaining("threads = one");
    assertThat(near.lastReceived()).isInstanceOf(Completion.Received.class);
    assertThat(first).isEqualTo(Side.pattern(8, 1));
  }
}
