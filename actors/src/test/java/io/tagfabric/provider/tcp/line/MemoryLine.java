package io.tagfabric.provider.tcp.line;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Random;

/** One end of a connection in memory, which takes and brings as many bytes at once as it likes. */
final class MemoryLine implements Line {
  private final Random random;
  private final int most;
  private final ByteBuffer coming = ByteBuffer.allocate(1 << 17).limit(0);
  private MemoryLine other;
  private boolean closed;
  private boolean all;

  /** All that this end has written. */
  final ByteArrayOutputStream said = new ByteArrayOutputStream();

  private MemoryLine(Random random, int most) {
    this.random = random;
    this.most = most;
  }

  /** Two ends; a call brings so many bytes at most. */
  static MemoryLine[] pair(long seed, int most) {
    Random random = new Random(seed);
    MemoryLine[] ends = {new MemoryLine(random, most), new MemoryLine(random, most)};
    ends[0].other = ends[1];
    ends[1].other = ends[0];
    return ends;
  }

  /** Cuts nothing from now on, at both ends. */
  void takesAll() {
    all = true;
    other.all = true;
  }

  /** Changes the last byte that has come. */
  void spoil() {
    int last = coming.limit() - 1;
    coming.put(last, (byte) ~coming.get(last));
  }

  private int some(int count) {
    return all ? count : Math.min(count, random.nextInt(most + 1));
  }

  /** Bytes that have come and are not read. */
  int coming() {
    return coming.remaining();
  }

  @Override
  public int read(ByteBuffer to) {
    int count = some(Math.min(coming.remaining(), to.remaining()));
    if (coming.remaining() == 0 && other.closed) {
      return -1;
    }
    to.put(coming.slice(coming.position(), count));
    coming.position(coming.position() + count);
    return count;
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    if (closed) {
      throw new IOException("closed");
    }
    ByteBuffer far = other.coming;
    if (far.capacity() - far.limit() < from.remaining()) {
      far.compact().flip();
    }
    byte[] bytes = new byte[some(Math.min(from.remaining(), far.capacity() - far.limit()))];
    from.get(bytes);
    int end = far.limit();
    far.limit(end + bytes.length).put(end, bytes);
    said.writeBytes(bytes);
    return bytes.length;
  }

  @Override
  public long write(ByteBuffer[] from) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int count) {
    throw new UnsupportedOperationException();
  }

  @Override
  public SocketChannel socket() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean shake(Ready hears) {
    return true;
  }

  @Override
  public int wants() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void trust() {}

  @Override
  public boolean holds() {
    return false;
  }

  @Override
  public boolean owes() {
    return false;
  }

  @Override
  public int flush() {
    return 0;
  }

  @Override
  public boolean isOpen() {
    return !closed;
  }

  @Override
  public void close() {
    closed = true;
  }
}
