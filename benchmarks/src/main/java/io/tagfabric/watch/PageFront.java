package io.tagfabric.watch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Accepts connections and reads the heads of requests, all on one thread that never waits for one
 * of them. A connection without a whole head costs a socket and a few bytes, and there are only so
 * many of those, for a time. A request that is not let in is answered here; any other gets a thread
 * of its own.
 *
 * @source RFC 9112 (HTTP/1.1), a connection for each request
 */
final class PageFront implements AutoCloseable {
  /** The most connections that have not sent their head; beyond that the oldest goes. */
  static final int MOST_WAITING = 64;

  /** The longest head. */
  private static final int HEAD_BYTES = 16 * 1024;

  /** How long a head may take. */
  private static final long HEAD_NS = TimeUnit.SECONDS.toNanos(10);

  private static final long LOOK_MS = 500;
  private static final byte[] FORBIDDEN =
      String.join(
              "\r\n",
              "HTTP/1.1 403 Forbidden",
              "Content-Type: text/plain",
              "Content-Length: 10",
              "Connection: close",
              "",
              "forbidden\n")
          .getBytes(StandardCharsets.US_ASCII);

  /** Serves a request that was let in, on a thread of its own. */
  interface Server {
    /** Answers; the connection is closed afterwards. */
    void serve(PageRequest request) throws IOException;
  }

  private static final class Waiting {
    private final SocketChannel channel;
    private final long untilNs;
    private final ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);

    Waiting(SocketChannel channel, long untilNs) {
      this.channel = channel;
      this.untilNs = untilNs;
    }
  }

  private final ServerSocketChannel door;
  private final Selector selector;
  private final Predicate<String> letsIn;
  private final Server server;
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  private PageFront(
      ServerSocketChannel door, Selector selector, Predicate<String> letsIn, Server server) {
    this.door = door;
    this.selector = selector;
    this.letsIn = letsIn;
    this.server = server;
  }

  /**
   * Begins to listen on loopback.
   *
   * @param port 0 for any that is free
   * @param letsIn whether who asks for a path may; must not block
   * @throws IOException if the port cannot be had
   */
  static PageFront start(int port, Predicate<String> letsIn, Server server) throws IOException {
    ServerSocketChannel door = ServerSocketChannel.open();
    try {
      door.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      door.configureBlocking(false);
      Selector selector = Selector.open();
      door.register(selector, SelectionKey.OP_ACCEPT);
      PageFront front = new PageFront(door, selector, letsIn, server);
      start("tagfabric-watch-front", front::run);
      return front;
    } catch (IOException failure) {
      door.close();
      throw failure;
    }
  }

  InetSocketAddress address() {
    try {
      return (InetSocketAddress) door.getLocalAddress();
    } catch (IOException closed) {
      throw new UncheckedIOException(closed);
    }
  }

  /** Takes no more requests. Those that are served go on. */
  @Override
  public void close() {
    closeQuietly(door);
    closeQuietly(selector);
  }

  private void run() {
    try {
      while (selector.isOpen()) {
        selector.select(LOOK_MS);
        List<SelectionKey> ready = List.copyOf(selector.selectedKeys());
        selector.selectedKeys().clear();
        for (SelectionKey key : ready) {
          if (!key.isValid()) {
            continue;
          }
          if (key.isAcceptable()) {
            accept();
          } else if (key.isReadable()) {
            read(key, (Waiting) key.attachment());
          }
        }
        while (!waiting.isEmpty() && System.nanoTime() - waiting.peekFirst().untilNs > 0) {
          giveUp(waiting.pollFirst());
        }
      }
    } catch (IOException | ClosedSelectorException closed) {
      // closed while it waited
    } finally {
      waiting.forEach(PageFront::giveUp);
      close();
    }
  }

  private void accept() throws IOException {
    SocketChannel channel = door.accept();
    if (channel == null) {
      return;
    }
    if (waiting.size() >= MOST_WAITING) {
      giveUp(waiting.pollFirst());
    }
    Waiting added = new Waiting(channel, System.nanoTime() + HEAD_NS);
    waiting.addLast(added);
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ, added);
  }

  private void read(SelectionKey key, Waiting from) {
    try {
      if (from.channel.read(from.head) < 0) {
        leave(from);
        return;
      }
      String head =
          new String(from.head.array(), 0, from.head.position(), StandardCharsets.ISO_8859_1);
      if (head.contains("\r\n\r\n")) {
        take(key, from, head);
      } else if (!from.head.hasRemaining()) {
        leave(from);
      }
    } catch (IOException gone) {
      leave(from);
    }
  }

  private void take(SelectionKey key, Waiting from, String head) throws IOException {
    PageRequest request = PageRequest.of(from.channel, head);
    if (request == null) {
      leave(from);
    } else if (!letsIn.test(request.path())) {
      from.channel.write(ByteBuffer.wrap(FORBIDDEN)); // less than any socket's buffer
      leave(from);
    } else {
      waiting.remove(from);
      key.cancel();
      selector.selectNow(); // a key that is only cancelled keeps the channel from blocking
      from.channel.configureBlocking(true);
      start("tagfabric-watch", () -> serve(request));
    }
  }

  private void serve(PageRequest request) {
    try (request) {
      server.serve(request);
    } catch (IOException gone) {
      // who has asked does not wait for the answer
    }
  }

  private void leave(Waiting from) {
    waiting.remove(from);
    giveUp(from);
  }

  private static void giveUp(Waiting from) {
    closeQuietly(from.channel);
  }

  private static void closeQuietly(AutoCloseable channel) {
    try {
      channel.close();
    } catch (Exception alreadyGone) {
      // nothing is left to do
    }
  }

  private static void start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }
}
