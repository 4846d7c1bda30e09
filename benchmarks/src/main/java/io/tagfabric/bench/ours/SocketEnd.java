package io.tagfabric.bench.ours;

import io.tagfabric.bench.measure.End;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One of two ends of a TCP connection over loopback that one thread drives, without any protocol:
 * the least that messages over TCP cost in Java. The sockets do not block and are in no selector.
 * Short messages that follow each other leave together, long ones from where they lie, and all are
 * read into place, outside the heap.
 */
final class SocketEnd implements End, AutoCloseable {
  private static final int GATHERED_BYTES = 1 << 16;
  private static final int LONGEST_GATHERED = 1 << 12;
  private static final int POLLS_PER_LOOK = 1 << 12;
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

  private final SocketChannel socket;
  private final ByteBuffer gathered = ByteBuffer.allocateDirect(GATHERED_BYTES);
  private final ByteBuffer staging = ByteBuffer.allocateDirect(GATHERED_BYTES);
  private SocketEnd other;
  private ByteBuffer outgoing = ByteBuffer.allocateDirect(0);
  private UnsafeBuffer outgoingView = new UnsafeBuffer(outgoing);
  private ByteBuffer incoming = ByteBuffer.allocateDirect(0);
  private UnsafeBuffer incomingView = new UnsafeBuffer(incoming);
  private long receivedBytes;
  private int received;

  private SocketEnd(SocketChannel socket) throws IOException {
    this.socket = socket;
    socket.configureBlocking(false);
    socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  /** Two ends; the first is near. Closing one closes both. */
  static SocketEnd[] pair() {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(loopback, 0));
      SocketEnd near = new SocketEnd(SocketChannel.open(listener.getLocalAddress()));
      SocketEnd far = new SocketEnd(listener.accept());
      near.other = far;
      far.other = near;
      return new SocketEnd[] {near, far};
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public void begin(int sentBytes, int receivedLength) {
    if (outgoing.capacity() != sentBytes) {
      outgoing = ByteBuffer.allocateDirect(sentBytes);
      outgoingView = new UnsafeBuffer(outgoing);
    }
    if (incoming.capacity() != receivedLength) {
      incoming = ByteBuffer.allocateDirect(receivedLength);
      incomingView = new UnsafeBuffer(incoming);
    }
    receivedBytes = 0;
    received = 0;
  }

  @Override
  public int received() {
    return received;
  }

  @Override
  public void postReceive() {
    // whatever comes is taken
  }

  @Override
  public void send() {
    if (outgoing.capacity() <= LONGEST_GATHERED) {
      if (gathered.remaining() < outgoing.capacity()) {
        flush();
      }
      gathered.put(outgoing.clear());
      return;
    }
    flush();
    writeAll(outgoing.clear());
  }

  private void flush() {
    if (gathered.position() > 0) {
      writeAll(gathered.flip());
      gathered.clear();
    }
  }

  private void writeAll(ByteBuffer bytes) {
    try {
      while (true) {
        socket.write(bytes);
        if (!bytes.hasRemaining()) {
          return;
        }
        other.read();
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public void poll() {
    flush();
    read();
  }

  /** Long messages into place, of short ones as many as there are. */
  private void read() {
    try {
      int length = incoming.capacity();
      boolean isShort = length <= LONGEST_GATHERED;
      ByteBuffer place = isShort ? staging.clear() : incoming;
      int count = socket.read(place);
      if (count < 0) {
        throw new IOException("the connection has ended");
      }
      receivedBytes += count;
      received = (int) (receivedBytes / length);
      if (!isShort && !place.hasRemaining()) {
        place.clear();
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public void await(int messages) {
    other.flush();
    long beginNs = 0;
    for (int polls = 1; received < messages; polls++) {
      poll();
      if (polls % POLLS_PER_LOOK == 0) {
        long nowNs = System.nanoTime();
        beginNs = beginNs == 0 ? nowNs : beginNs;
        if (nowNs - beginNs > PATIENCE_NS) {
          throw new IllegalStateException("received=" + received + " of " + messages);
        }
      }
    }
  }

  @Override
  public MutableDirectBuffer outgoing() {
    return outgoingView;
  }

  @Override
  public DirectBuffer incoming() {
    return incomingView;
  }

  @Override
  public void close() {
    try {
      socket.close();
      other.socket.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
