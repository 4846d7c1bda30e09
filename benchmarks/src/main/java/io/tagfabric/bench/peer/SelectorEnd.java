package io.tagfabric.bench.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A TCP connection of Java that does not block, with a selector in which the thread sleeps while it
 * waits. It reads no further than the message that is awaited.
 */
final class SelectorEnd extends CountingEnd implements AutoCloseable {
  private static final long PATIENCE_MS = TimeUnit.SECONDS.toMillis(30);

  private final SocketChannel socket;
  private final Selector selector;
  private ByteBuffer outgoing = ByteBuffer.allocateDirect(0);
  private ByteBuffer incoming = ByteBuffer.allocateDirect(0);
  private final UnsafeBuffer arrivedBytes = new UnsafeBuffer(incoming);
  private int arrived;

  SelectorEnd(SocketChannel socket) throws IOException {
    this.socket = socket;
    socket.configureBlocking(false);
    socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
    selector = Selector.open();
    socket.register(selector, SelectionKey.OP_READ);
  }

  @Override
  public void begin(int sentBytes, int receivedBytes) {
    super.begin(sentBytes, receivedBytes);
    outgoing = ByteBuffer.allocateDirect(sentBytes);
    if (incoming.capacity() != receivedBytes) {
      incoming = ByteBuffer.allocateDirect(receivedBytes);
    }
  }

  @Override
  int arrived() {
    return arrived;
  }

  @Override
  public void send() {
    outgoing().getBytes(0, outgoing.clear(), outgoing.capacity());
    outgoing.flip();
    try {
      while (outgoing.hasRemaining()) {
        socket.write(outgoing);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public void poll() {
    try {
      if (socket.read(incoming) < 0) {
        throw new IllegalStateException("the other process has ended");
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    if (!incoming.hasRemaining()) {
      arrivedBytes.wrap(incoming);
      keep(arrivedBytes, 0, incoming.capacity());
      incoming.clear();
      arrived++;
    }
  }

  @Override
  void awaitArrival(int messages) {
    while (arrived < messages) {
      try {
        if (selector.select(key -> poll(), PATIENCE_MS) == 0) {
          throw new IllegalStateException(
              "arrived=" + arrived + " messages, none for " + PATIENCE_MS + " ms");
        }
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }

  @Override
  public void close() throws IOException {
    selector.close();
    socket.close();
  }
}
