package io.tagfabric.provider.shm;

import io.tagfabric.provider.AccessMark;
import io.tagfabric.provider.RegionGate;
import io.tagfabric.provider.RegionPass;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JZ_Result;

/**
 * A peer writes into a region while its owner closes it and then uses the memory: real gate and
 * mark, in two mappings of one file that all states share, each in a place of its own.
 */
@JCStressTest
@Outcome(id = "7, true", expect = Expect.ACCEPTABLE, desc = "quiet at once; the owner's bytes stay")
@Outcome(id = "1, false", expect = Expect.ACCEPTABLE, desc = "the owner would have to wait")
@Outcome(id = "0, false", expect = Expect.ACCEPTABLE, desc = "the mark of one that is refused")
@Outcome(expect = Expect.FORBIDDEN, desc = "a byte has changed after the close")
@State
public class GateRace {
  private static final int PLACES = 1 << 14;
  private static final int PLACE_BYTES = 512;
  private static final int MARK = 128;
  private static final int BYTES = 256;
  private static final long GENERATION = 9;
  private static final AtomicInteger NEXT = new AtomicInteger();
  private static final UnsafeBuffer[] MAPPED = map();

  private final int at = (NEXT.getAndIncrement() & (PLACES - 1)) * PLACE_BYTES;
  private final UnsafeBuffer owners = new UnsafeBuffer(MAPPED[0], at, PLACE_BYTES);
  private final UnsafeBuffer peers = new UnsafeBuffer(MAPPED[1], at, PLACE_BYTES);
  private final RegionGate owner = new RegionGate(owners, 0);
  private final RegionGate peer = new RegionGate(peers, 0);
  private final AccessMark seen = new AccessMark(owners, MARK);
  private final AccessMark mark = new AccessMark(peers, MARK);

  public GateRace() {
    owners.setMemory(0, PLACE_BYTES, (byte) 0);
    owner.open(GENERATION, 0, new RegionPass(1, 8, 15, true));
  }

  private static UnsafeBuffer[] map() {
    try {
      Path file = Files.createTempFile("gate", "race");
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        long bytes = (long) PLACES * PLACE_BYTES;
        return new UnsafeBuffer[] {
          new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes)),
          new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes))
        };
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Actor
  public void writes() {
    if (peer.enter(mark, GENERATION)) {
      peers.putLong(BYTES, 1);
      mark.clear();
    }
  }

  @Actor
  public void closes(JZ_Result result) {
    owner.shut();
    result.r2 = !seen.isInside(GENERATION);
    if (result.r2) {
      owners.putLong(BYTES, 7);
    }
  }

  @Arbiter
  public void looks(JZ_Result result) {
    result.r1 = owners.getLong(BYTES);
  }
}
