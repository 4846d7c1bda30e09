package io.tagfabric.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExchangeTest {
  /** Counts what it does; a message is there at once. */
  private static final class Side implements End {
    private final Object lock;
    private final int window;
    private final int total;
    private Side other;
    private int arrived;
    private int before;
    private int awaited;
    private int sent;
    private int posted;
    private int most;
    private int begun;
    private int messages;
    private boolean lacksReceives;

    Side(Object lock, int window, int total) {
      this.lock = lock;
      this.window = window;
      this.total = total;
    }

    @Override
    public void begin(int sentBytes, int receivedBytes) {
      begun++;
      before += awaited;
      awaited = 0;
      messages = Math.max(messages, sent);
      sent = 0;
      posted = 0;
    }

    @Override
    public int received() {
      return awaited;
    }

    @Override
    public void postReceive() {
      posted++;
    }

    @Override
    public void send() {
      sent++;
      most = Math.max(most, sent - awaited);
      // what is sent lets the other side send as many, and a window more
      lacksReceives |= begun == 1 && posted < Math.min(total, sent + window);
      synchronized (lock) {
        other.arrived++;
        lock.notifyAll();
      }
    }

    @Override
    public void poll() {
      // nothing is under way
    }

    @Override
    public void await(int count) {
      synchronized (lock) {
        while (arrived < before + count) {
          try {
            lock.wait(30_000);
          } catch (InterruptedException e) {
            throw new IllegalStateException("the other side sends no more", e);
          }
        }
      }
      awaited = count;
    }

    @Override
    public MutableDirectBuffer outgoing() {
      return new UnsafeBuffer(new byte[0]);
    }

    @Override
    public DirectBuffer incoming() {
      return outgoing();
    }
  }

  @ParameterizedTest
  @CsvSource({"64, 3200", "1, 7", "3, 20", "2, 9"})
  void shouldKeepAWindowUnderWayInBothDirections(int window, int messages) throws Exception {
    Object lock = new Object();
    Side near = new Side(lock, window, messages);
    Side far = new Side(lock, window, messages);
    near.other = far;
    far.other = near;
    FutureTask<Void> farWork =
        new FutureTask<>(() -> Exchange.bothWaysFar(far, 8, messages, window), null);
    Histogram spansNs = new Histogram(3);
    FutureTask<Long> nearWork =
        new FutureTask<>(() -> Exchange.bothWays(near, 8, messages, window, spansNs));

    new Thread(farWork, "far").start();
    new Thread(nearWork, "near").start();

    assertThat(nearWork.get(30, TimeUnit.SECONDS)).isPositive();
    farWork.get(30, TimeUnit.SECONDS);
    assertThat(near.messages).isEqualTo(far.messages).isEqualTo(messages);
    assertThat(near.most).isEqualTo(far.most).isEqualTo(Math.min(window, messages));
    assertThat(near.lacksReceives).isEqualTo(far.lacksReceives).isFalse();
    assertThat(near.awaited).as("the far side has all").isEqualTo(1);
    assertThat(spansNs.getTotalCount()).isEqualTo(messages / TransferKind.half(window));
  }
}
