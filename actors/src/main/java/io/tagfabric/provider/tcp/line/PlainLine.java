package io.tagfabric.provider.tcp.line;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** A socket as it is. */
public record PlainLine(SocketChannel socket) implements Line {
  @Override
  public boolean shake(Ready hears) {
    return true;
  }

  @Override
  public int wants() {
    return SelectionKey.OP_READ;
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
