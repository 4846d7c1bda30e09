package io.tagfabric.bench.peer;

import io.tagfabric.bench.measure.Exchange;
import io.tagfabric.bench.measure.Order;
import io.tagfabric.bench.measure.Subject;
import io.tagfabric.bench.measure.TransferKind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.UnsafeBuffer;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.util.MessageBatch;

/**
 * Raw JGroups: the two patterns of {@link Exchange} as its receive callbacks would do them, without
 * a hand-over to another thread. A lone message is not held back to be bundled, a stream is
 * bundled.
 *
 * <p>Thread: the near end's runs are begun by one thread; messages come on JGroups' own.
 */
final class JGroupsPlayer implements Receiver {
  private enum Role {
    /** The next message is an order. */
    IDLE,
    /** The next message says that the far end is ready. */
    AWAIT_READY,
    PING,
    PONG,
    STREAM,
    DRAIN
  }

  private static final long PATIENCE_S = 60;

  private final JChannel channel;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private Address twin;
  private Role role = Role.IDLE;
  private byte[] ball = new byte[0];
  private int half;
  private int window;
  private int wanted;
  private int received;
  private int sent;
  private long beginNs;
  private long lastNs;
  private Histogram spansNs;
  private CompletableFuture<Long> done;

  JGroupsPlayer(JChannel channel) {
    this.channel = channel;
  }

  /** Sets the other end; before any message. */
  synchronized void meet(Address newTwin) {
    twin = newTwin;
  }

  /** The near end's subject. */
  Subject subject(TransferKind kind, int streamWindow) {
    return new Subject() {
      @Override
      public String name() {
        return "jgroups-tcp";
      }

      @Override
      public String provider() {
        return "jgroups-tcp";
      }

      @Override
      public long run(int bytes, int iterations, Histogram newSpansNs) {
        tellFarEnd(Order.of(kind, Order.SELF, bytes, iterations, streamWindow));
        return get(
            kind.isStream()
                ? beginStream(bytes, iterations, streamWindow, newSpansNs)
                : beginPing(bytes, iterations, newSpansNs));
      }
    };
  }

  /** The near end has no more runs. */
  void end() {
    tellFarEnd(Order.END);
  }

  /** The far end serves until the near one ends. */
  void awaitEnd() {
    ended.join();
  }

  private void tellFarEnd(Order order) {
    CompletableFuture<Long> ready = new CompletableFuture<>();
    synchronized (this) {
      role = Role.AWAIT_READY;
      done = ready;
      byte[] bytes = new byte[Order.BYTES];
      order.write(new UnsafeBuffer(bytes));
      send(bytes, true);
    }
    get(ready);
  }

  private static long get(CompletableFuture<Long> future) {
    try {
      return future.get(PATIENCE_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the other end has not answered within 60 s", e);
    }
  }

  private synchronized CompletableFuture<Long> beginPing(
      int bytes, int iterations, Histogram newSpansNs) {
    CompletableFuture<Long> future = begin(Role.PING, bytes, iterations, newSpansNs);
    send(ball, true);
    return future;
  }

  private synchronized CompletableFuture<Long> beginStream(
      int bytes, int messages, int streamWindow, Histogram newSpansNs) {
    window = streamWindow;
    half = TransferKind.half(window);
    CompletableFuture<Long> future = begin(Role.STREAM, bytes, messages / half, newSpansNs);
    sendWithinWindow();
    return future;
  }

  private CompletableFuture<Long> begin(
      Role newRole, int bytes, int newWanted, Histogram newSpansNs) {
    role = newRole;
    ball = new byte[bytes];
    wanted = newWanted;
    received = 0;
    sent = 0;
    spansNs = newSpansNs;
    done = new CompletableFuture<>();
    beginNs = System.nanoTime();
    lastNs = beginNs;
    return done;
  }

  private void send(byte[] bytes, boolean alone) {
    BytesMessage message = new BytesMessage(twin, bytes);
    if (alone) {
      message.setFlag(Message.Flag.DONT_BUNDLE);
    }
    try {
      channel.send(message);
    } catch (Exception failure) {
      throw new IllegalStateException("JGroups has not sent: " + failure.getMessage(), failure);
    }
  }

  @Override
  public void receive(MessageBatch batch) {
    for (Message message : batch) {
      receive(message);
    }
  }

  @Override
  public synchronized void receive(Message message) {
    switch (role) {
      case IDLE -> onOrder(message);
      case AWAIT_READY -> {
        role = Role.IDLE;
        done.complete(0L);
      }
      case PONG -> {
        received++;
        if (received == wanted) {
          role = Role.IDLE;
        }
        send(ball, true);
      }
      case PING -> {
        received++;
        if (noteSpan()) {
          send(ball, true);
        }
      }
      case DRAIN -> {
        received++;
        boolean halfArrived = received % half == 0;
        if (received == wanted) {
          role = Role.IDLE;
        }
        if (halfArrived) {
          send(ball, true);
        }
      }
      case STREAM -> {
        received++;
        if (noteSpan()) {
          sendWithinWindow();
        }
      }
    }
  }

  private void onOrder(Message message) {
    // the near end may have seen the group whole, and begun, before this one has
    twin = message.getSrc();
    Order order =
        Order.read(new UnsafeBuffer(message.getArray(), message.getOffset(), message.getLength()));
    received = 0;
    wanted = order.count();
    switch (order.work()) {
      case PONG -> {
        role = Role.PONG;
        ball = new byte[order.bytes()];
      }
      case DRAIN -> {
        role = Role.DRAIN;
        half = TransferKind.half(order.window());
        ball = new byte[Order.ANSWER_BYTES];
      }
      case END -> ended.complete(null);
      default -> throw new IllegalStateException(order.work() + " is no work for JGroups");
    }
    send(new byte[Order.ANSWER_BYTES], true);
  }

  /** Records the time since the last one; false when all have come. */
  private boolean noteSpan() {
    long nowNs = System.nanoTime();
    spansNs.recordValue(nowNs - lastNs);
    lastNs = nowNs;
    if (received < wanted) {
      return true;
    }
    role = Role.IDLE;
    done.complete(nowNs - beginNs);
    return false;
  }

  private void sendWithinWindow() {
    int mayBeSent = Math.min(wanted * half, received * half + window);
    for (; sent < mayBeSent; sent++) {
      send(ball, false);
    }
  }
}
