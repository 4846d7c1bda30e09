package io.tagfabric.provider.shm;

import io.tagfabric.provider.DirectRegion;
import io.tagfabric.provider.shm.ring.ShmLayout;
import java.nio.file.Path;

/** A JVM that enters a region and stays there until it is killed. */
final class GateVictim {
  private GateVictim() {}

  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[0]);
    long generation = Long.parseLong(args[1]);
    long key = args.length > 2 ? Long.parseLong(args[2]) : generation;
    ShmFile own = ShmFile.create(directory.resolve("domain-2-2"), ShmGatesTest.BYTES);
    own.buffer().putLong(ShmLayout.TOKEN_AT, ShmGatesTest.TOKEN);
    DirectRegion region =
        new ShmDirectMemory(directory, own.path(), ShmGatesTest.TOKEN).find(key, generation);
    System.out.println(region.enter() ? "inside" : "refused");
    // The end of the input is the end of the parent.
    System.exit(System.in.read() < 0 ? 0 : 1);
  }
}
