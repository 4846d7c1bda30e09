package io.tagfabric.provider.shm;

import io.tagfabric.progress.TimeSource;
import java.nio.file.Path;
import java.util.Map;

/** A JVM with a domain that prints its address and waits until it is killed. */
final class ShmVictim {
  private ShmVictim() {}

  public static void main(String[] args) throws Exception {
    ShmSide side = new ShmSide(TimeSource.SYSTEM, Path.of(args[0]), Map.of());
    System.out.println(side.wire.address());
    // The end of the input is the end of the parent.
    System.exit(System.in.read() < 0 ? 0 : 1);
  }
}
