package io.tagfabric.trials.fabtests;

import io.tagfabric.access.Access;
import io.tagfabric.access.AccessRegion;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.memory.Slices;
import io.tagfabric.provider.FabricMemory;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Accesses of many pieces: random ones, compared with a plain array. */
final class SliceScenarios {
  private static final int BYTES = 200_000;
  private static final int IN_A_BATCH = 16;
  private static final int MOST_PIECES = 60;
  private static final int[] LONGEST = {8, 64, 600, 3_000};
  private static final SendOptions PLACED = SendOptions.DEFAULT.at(CompletionLevel.DELIVERY);

  private SliceScenarios() {}

  static List<Scenario> all() {
    return List.of(
        new Scenario(
            "rma-slices",
            "rma",
            "GASNet testvis",
            "random pieces, indexed and strided, by the target's loop",
            side -> storm(side, false)),
        new Scenario(
            "rma-slices-direct",
            "rma",
            "GASNet testvis",
            "the same of fabric memory, which peers may reach themselves",
            side -> storm(side, true)));
  }

  private static void storm(Side side, boolean allocated) {
    Link link = side.open();
    FabricMemory memory = allocated ? link.domain().allocate(BYTES) : null;
    MutableDirectBuffer target = allocated ? memory.buffer() : new UnsafeBuffer(new byte[BYTES]);
    Region region = link.domain().register(target, RegionRight.all());
    RemoteRegion there = new RemoteRegion(link.peer(), MemoryScenarios.exchange(side, region));
    String written = side.isFirst() ? new Storm(side, link, there).run() : "";
    String wanted = side.exchange(written);
    if (!side.isFirst()) {
      byte[] found = new byte[BYTES];
      target.getBytes(0, found);
      Wrong.unless(
          wanted.equals(hash(found)), () -> "the target has not the bytes that were written");
    }
    side.join(region.close());
    if (allocated) {
      memory.close();
    }
  }

  private static String hash(byte[] bytes) {
    return Integer.toHexString(Arrays.hashCode(bytes));
  }

  /** What one side does to the other's memory, and to an array of its own. */
  private static final class Storm {
    private final Side side;
    private final Link link;
    private final RemoteRegion there;
    private final SplittableRandom random = new SplittableRandom(20_261_126);
    private final byte[] mirror = new byte[BYTES];
    private long pieces;

    private Storm(Side side, Link link, RemoteRegion there) {
      this.side = side;
      this.link = link;
      this.there = there;
    }

    private String run() {
      while (pieces < side.slices()) {
        AccessRegion writes = link.endpoint().openAccessRegion();
        for (int i = 0; i < IN_A_BATCH; i++) {
          if (random.nextInt(8) == 0) {
            fill(writes);
          } else {
            write(writes);
          }
        }
        side.join(writes.end());
        read();
      }
      return hash(mirror);
    }

    private void post(Supplier<Posted> call) {
      while (call.get() == Posted.TRY_AGAIN) {
        side.requireTime("room for an access");
        link.pump();
      }
    }

    private void fill(AccessRegion region) {
      int at = random.nextInt(BYTES);
      int length = random.nextInt(Math.min(5_000, BYTES - at));
      byte value = (byte) random.nextInt();
      post(() -> region.post(Access.fill(there, at, length, value).with(PLACED), null));
      Arrays.fill(mirror, at, at + length, value);
      pieces++;
    }

    private void write(AccessRegion region) {
      Slices to = slices();
      byte[] bytes = Side.bytes(pieces, (int) to.bytes());
      UnsafeBuffer buffer = new UnsafeBuffer(bytes);
      Slices from = Slices.one(0, bytes.length);
      post(() -> region.post(Access.writeSlices(there, to, buffer, from).with(PLACED), null));
      for (int piece = 0, at = 0; piece < to.count(); at += to.length(piece++)) {
        System.arraycopy(bytes, at, mirror, (int) to.offset(piece), to.length(piece));
      }
      pieces += to.count();
    }

    private void read() {
      Slices from = slices();
      byte[] found = new byte[(int) from.bytes()];
      Slices into = Slices.one(0, found.length);
      AccessRegion reads = link.endpoint().openAccessRegion();
      post(() -> reads.post(Access.readSlices(there, from, new UnsafeBuffer(found), into), null));
      side.join(reads.end());
      side.sabotage().seeRead(found);
      byte[] wanted = new byte[found.length];
      for (int piece = 0, at = 0; piece < from.count(); at += from.length(piece++)) {
        System.arraycopy(mirror, (int) from.offset(piece), wanted, at, from.length(piece));
      }
      MemoryScenarios.requireEqual(wanted, found);
      pieces += from.count();
    }

    /** Pieces that do not overlap. */
    private Slices slices() {
      int longest = LONGEST[random.nextInt(LONGEST.length)];
      int count = 1 + random.nextInt(MOST_PIECES);
      return random.nextInt(3) == 0 ? strided(count, longest) : indexed(count, longest);
    }

    private Slices strided(int count, int longest) {
      int length = 1 + random.nextInt(longest);
      int rows = 1 + random.nextInt(count);
      int columns = Math.max(1, count / rows);
      long step = (long) length + random.nextInt(16);
      long row = columns * step;
      long first = random.nextLong(BYTES - rows * row);
      return Slices.strided(first, length, new int[] {rows, columns}, new long[] {row, step});
    }

    /** In any order, and not all of one length. */
    private Slices indexed(int count, int longest) {
      long[] offsets = new long[count];
      int[] lengths = new int[count];
      long at = random.nextLong(BYTES - count * (longest + 16L));
      for (int i = 0; i < count; i++) {
        lengths[i] = random.nextInt(longest + 1);
        offsets[i] = at;
        at += lengths[i] + random.nextInt(16);
        int other = random.nextInt(i + 1);
        swap(offsets, lengths, i, other);
      }
      return Slices.of(offsets, lengths);
    }

    private static void swap(long[] offsets, int[] lengths, int one, int other) {
      long offset = offsets[one];
      offsets[one] = offsets[other];
      offsets[other] = offset;
      int length = lengths[one];
      lengths[one] = lengths[other];
      lengths[other] = length;
    }
  }
}
