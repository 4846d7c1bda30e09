package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.sun.management.ThreadMXBean;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.complete.CompletionHandler;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.link.Posted;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.ThreadUse;
import java.lang.management.ManagementFactory;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What short messages allocate, counted by the JVM for the thread that sends and receives. */
class AllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ConfigFactory.parseString("tagfabric.provider.use = [local]")
              .withFallback(ConfigFactory.load()));
  private static final int ROUNDS = 2_000;
  private static final int WINDOW = 32;
  private static final int BYTES = 8;

  /** Half of what the smallest object a message would be; timers make some now and then. */
  private static final int MOST_BYTES = ROUNDS * WINDOW * 8;

  private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[BYTES]);
  private int received;
  private final CompletionHandler count = entry -> received++;

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  /** Receives first, or messages first. */
  @ParameterizedTest
  @CsvSource({"ANY, true", "ONE, true", "ANY, false", "ONE, false"})
  void shouldBeNothingWhenWarm(ThreadUse threads, boolean posted) {
    Fabric fabric = Fabric.get(KIT.system());
    Domain domain =
        fabric.openDomain(
            "alloc-" + threads + "-" + posted,
            fabric.progressDefaults().withMode(ProgressMode.MANUAL).withThreads(threads));
    CompletionQueue queue = domain.openCompletionQueue(4 * WINDOW);
    Endpoint near = domain.openEndpoint("near", queue, queue, domain.endpointDefaults());
    Endpoint far = domain.openEndpoint("far", queue, queue, domain.endpointDefaults());
    int toFar = domain.addressVector().insert(far.address());
    // Messages that wait for a receive are kept in objects, of which some are used again.
    int window = posted ? WINDOW : WINDOW / 2;
    exchange(near, far, toFar, window, posted);

    long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    exchange(near, far, toFar, window, posted);
    long allocated = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;

    assertThat(allocated).as("bytes for %s messages", ROUNDS * window).isLessThan(MOST_BYTES / 2);
    assertThat(received).isEqualTo(2 * ROUNDS * window);
    domain.close();
  }

  private void exchange(Endpoint near, Endpoint far, int toFar, int window, boolean posted) {
    for (int round = 0; round < ROUNDS; round++) {
      int end = received + window;
      if (!posted) {
        send(near, toFar, window);
        near.receiveQueue().read(count, 0);
      }
      for (int i = 0; i < window; i++) {
        if (far.postReceive(bytes, 0, BYTES, 7, 0, -1, this) != Posted.POSTED) {
          throw new AssertionError("no slot");
        }
      }
      if (posted) {
        send(near, toFar, window);
      }
      while (received < end) {
        near.receiveQueue().read(count, Integer.MAX_VALUE);
      }
    }
  }

  private void send(Endpoint near, int toFar, int window) {
    for (int i = 0; i < window; i++) {
      if (near.injectTagged(toFar, bytes, 0, BYTES, 7) != Posted.POSTED) {
        throw new AssertionError("no slot");
      }
    }
  }
}
