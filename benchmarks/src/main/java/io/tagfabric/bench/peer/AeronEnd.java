package io.tagfabric.bench.peer;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentInvoker;

/**
 * Raw Aeron: one exclusive publication there, one subscription here, both polled without pause on
 * the caller's thread, as the driver is if it is invoked.
 */
final class AeronEnd extends CountingEnd implements AutoCloseable {
  private static final int STREAM = 1001;
  private static final int FRAGMENTS = 64;
  private static final int POLLS_PER_LOOK = 1 << 16;
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

  private static final long LINGER_NS = TimeUnit.MILLISECONDS.toNanos(200);

  private final MediaDriver driver;
  private final AgentInvoker driverInvoker;
  private final Aeron aeron;
  private final AgentInvoker conductor;
  private final Subscription subscription;
  private final ExclusivePublication publication;
  private final FragmentHandler handler = new FragmentAssembler(this::onMessage);
  private int arrived;

  /**
   * Opens the end and waits for the other one.
   *
   * @param driver invoked by this end; null if another process runs one
   */
  AeronEnd(MediaDriver driver, String directory, String inbound, String outbound) {
    this.driver = driver;
    driverInvoker = driver == null ? null : driver.sharedAgentInvoker();
    aeron =
        Aeron.connect(
            new Aeron.Context()
                .aeronDirectoryName(directory)
                .useConductorAgentInvoker(true)
                .driverAgentInvoker(driverInvoker));
    conductor = aeron.conductorAgentInvoker();
    subscription = aeron.addSubscription(inbound, STREAM);
    publication = aeron.addExclusivePublication(outbound, STREAM);
    long beginNs = System.nanoTime();
    while (!publication.isConnected() || !subscription.isConnected()) {
      housekeeping();
      Thread.yield();
      requireTime(beginNs, "the other end has not connected");
    }
  }

  private static void requireTime(long beginNs, String complaint) {
    if (System.nanoTime() - beginNs > PATIENCE_NS) {
      throw new IllegalStateException(complaint + " within 30 s");
    }
  }

  private void onMessage(DirectBuffer buffer, int offset, int length, Header header) {
    keep(buffer, offset, length);
    arrived++;
  }

  @Override
  public int maxBytes() {
    return publication.maxMessageLength();
  }

  @Override
  int arrived() {
    return arrived;
  }

  @Override
  public void poll() {
    if (driverInvoker != null) {
      driverInvoker.invoke();
    }
    subscription.poll(handler, FRAGMENTS);
  }

  /** What Aeron's own thread would do now and then: keepalives and changes of connections. */
  private void housekeeping() {
    conductor.invoke();
    if (driverInvoker != null) {
      driverInvoker.invoke();
    }
  }

  @Override
  public void send() {
    int polls = 0;
    long beginNs = 0;
    while (true) {
      long result = publication.offer(outgoing(), 0, outgoing().capacity());
      if (result > 0) {
        return;
      }
      if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED) {
        throw new IllegalStateException("the publication refuses messages: " + result);
      }
      poll();
      if (++polls % POLLS_PER_LOOK == 0) {
        beginNs = look(beginNs);
      }
    }
  }

  @Override
  void awaitArrival(int messages) {
    int polls = 0;
    long beginNs = 0;
    while (arrived < messages) {
      poll();
      if (++polls % POLLS_PER_LOOK == 0) {
        beginNs = look(beginNs);
      }
    }
  }

  private long look(long beginNs) {
    housekeeping();
    if (beginNs == 0) {
      return System.nanoTime();
    }
    requireTime(beginNs, "arrived=" + arrived + " messages, nothing moves");
    return beginNs;
  }

  @Override
  public void begin(int sentBytes, int receivedBytes) {
    housekeeping();
    super.begin(sentBytes, receivedBytes);
  }

  @Override
  public void close() {
    if (driver != null) {
      // what was sent last leaves, or is asked for again, only while the driver is invoked
      long beginNs = System.nanoTime();
      while (System.nanoTime() - beginNs < LINGER_NS) {
        poll();
      }
    }
    aeron.close();
    if (driver != null) {
      driver.close();
    }
  }
}
