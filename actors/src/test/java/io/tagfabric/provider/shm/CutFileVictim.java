package io.tagfabric.provider.shm;

import io.tagfabric.progress.TimeSource;
import io.tagfabric.provider.shm.ring.ShmLayout;
import io.tagfabric.provider.shm.ring.WholeLineCopy;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.concurrent.UnsafeBuffer;

/** A JVM that copies into its file, cuts it, and goes on. */
final class CutFileVictim {
  private static final int PAYLOAD_BYTES = 60_000;
  private static final int COMPILED_AFTER = 20_000;

  private CutFileVictim() {}

  public static void main(String[] args) throws IOException {
    Path path = Path.of(args[0]);
    int keptBytes = Integer.parseInt(args[1]);
    ShmFile file = ShmFile.create(path, 2 * PAYLOAD_BYTES + Long.BYTES);
    UnsafeBuffer memory = file.buffer();
    UnsafeBuffer payload = new UnsafeBuffer(new byte[PAYLOAD_BYTES]);
    memory.putLong(2 * PAYLOAD_BYTES, ShmLayout.END_MARK);
    WholeLineCopy copy = new WholeLineCopy(file.mapping(), 2 * PAYLOAD_BYTES, TimeSource.SYSTEM);
    for (int i = 0; i < COMPILED_AFTER; i++) {
      copy.copy(payload, 0, memory, i % PAYLOAD_BYTES, PAYLOAD_BYTES);
    }
    long before = copy.copiedByLines();
    try (FileChannel other = FileChannel.open(path, StandardOpenOption.WRITE)) {
      other.truncate(keptBytes);
    }
    int errors = 0;
    for (int i = 0; i < 1000; i++) {
      try {
        copy.copy(payload, 0, memory, i, PAYLOAD_BYTES);
        // A call of the system, at which the JVM throws what it has put off.
        Thread.yield();
      } catch (InternalError cut) {
        errors++;
      }
    }
    System.out.println((before > 0) + " " + (copy.copiedByLines() == before) + " " + (errors > 0));
  }
}
