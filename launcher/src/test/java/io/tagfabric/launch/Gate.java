package io.tagfabric.launch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A stream that nobody reads until it is opened, as a pipe that is full. Keeps what it takes. */
public final class Gate extends OutputStream {
  private final CountDownLatch open = new CountDownLatch(1);
  private final CountDownLatch reached = new CountDownLatch(1);
  private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
  private final List<String> writes = new ArrayList<>();

  public void open() {
    open.countDown();
  }

  /** Whether somebody has tried to write. */
  public boolean isReached() {
    return reached.getCount() == 0;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    reached.countDown();
    try {
      open.await();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException(interrupted);
    }
    synchronized (this) {
      taken.write(bytes, offset, length);
      writes.add(new String(bytes, offset, length, StandardCharsets.UTF_8));
    }
  }

  public synchronized String text() {
    return taken.toString(StandardCharsets.UTF_8);
  }

  public synchronized byte[] bytes() {
    return taken.toByteArray();
  }

  /** What came in one call. */
  public synchronized List<String> writes() {
    return List.copyOf(writes);
  }
}
