package io.tagfabric.provider.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A socket as it is. */
record PlainLine(SocketChannel socket) implements Line {
  @Override
  public int read(ByteBuffer to) throws IOException {
    return socket.read(to);
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    return socket.write(from);
  }

  @Override
  public long write(ByteBuffer[] from) throws IOException {
    return socket.write(from);
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int count) throws IOException {
    return socket.write(from, offset, count);
  }

  @Override
  public boolean isOpen() {
    return socket.isOpen();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
