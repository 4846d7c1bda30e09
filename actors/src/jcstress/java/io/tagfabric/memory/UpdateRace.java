package io.tagfabric.memory;

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
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two sides update neighbours of 16 bits and the same element of 64 bits, through two mappings of
 * one file.
 */
@JCStressTest
@Outcome(id = "5, 9, 14", expect = Expect.ACCEPTABLE, desc = "no update is lost")
@Outcome(expect = Expect.FORBIDDEN, desc = "an update is lost")
@State
public class UpdateRace {
  private static final int PLACES = 1 << 14;
  private static final int PLACE_BYTES = 128;
  private static final AtomicInteger NEXT = new AtomicInteger();
  private static final UnsafeBuffer[] MAPPED = map();

  private final int at = (NEXT.getAndIncrement() & (PLACES - 1)) * PLACE_BYTES;
  private final UnsafeBuffer one = new UnsafeBuffer(MAPPED[0], at, PLACE_BYTES);
  private final UnsafeBuffer two = new UnsafeBuffer(MAPPED[1], at, PLACE_BYTES);

  public UpdateRace() {
    one.setMemory(0, PLACE_BYTES, (byte) 0);
  }

  private static UnsafeBuffer[] map() {
    try {
      Path file = Files.createTempFile("update", "race");
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

  private static void add(UnsafeBuffer memory, int element, int number) {
    UnsafeBuffer operand = new UnsafeBuffer(new byte[Long.BYTES]);
    operand.putLong(0, number, Little.ENDIAN);
    SharedAtomics.update(
        AtomicOp.SUM, AtomicKind.INT16, 1, memory, element, operand, 0, 0, null, 0);
    SharedAtomics.update(
        AtomicOp.SUM, AtomicKind.UINT64, 1, memory, Long.BYTES, operand, 0, 0, null, 0);
  }

  @Actor
  public void first() {
    add(one, 0, 5);
  }

  @Actor
  public void second() {
    add(two, Short.BYTES, 9);
  }

  @Arbiter
  public void looks(III_Result result) {
    result.r1 = one.getShort(0, Little.ENDIAN);
    result.r2 = one.getShort(Short.BYTES, Little.ENDIAN);
    result.r3 = (int) one.getLong(Long.BYTES, Little.ENDIAN);
  }
}
