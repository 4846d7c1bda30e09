package io.tagfabric.memory;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.provider.DirectRegion;
import io.tagfabric.provider.MemoryEnd;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Accesses to a region that the asking side does itself. Each is refused, or done when the call
 * returns; null says that it is done. Thread: the asker's loop.
 */
@InternalApi
public final class DirectCopy {
  /** Between parts of this length it looks whether the region closes. */
  private static final int PART_BYTES = 1 << 20;

  private DirectCopy() {}

  /** Writes bytes. */
  public static FabricError write(
      DirectRegion region, boolean own, long offset, DirectBuffer from, int at, int length) {
    return move(region, own, from, null, offset, at, length);
  }

  /** Reads bytes. */
  public static FabricError read(
      DirectRegion region, boolean own, long offset, MutableDirectBuffer to, int at, int length) {
    return move(region, own, null, to, offset, at, length);
  }

  /** Writes pieces of a buffer that has them all. */
  public static FabricError write(
      DirectRegion region, boolean own, PieceRange pieces, DirectBuffer from) {
    return move(region, own, from, null, pieces);
  }

  /** Reads pieces into a buffer that has room for them all. */
  public static FabricError read(
      DirectRegion region, boolean own, PieceRange pieces, MutableDirectBuffer to) {
    return move(region, own, null, to, pieces);
  }

  /** Sets bytes to one value. */
  public static FabricError fill(
      DirectRegion region, boolean own, long offset, long length, byte value) {
    try {
      FabricError error = refusal(region, own, true, false, offset, length);
      return ended(region, error == null ? fill(region, offset, length, value) : error);
    } catch (InternalError cut) {
      return cut();
    }
  }

  private static FabricError fill(DirectRegion region, long offset, long length, byte value) {
    try {
      for (long done = 0; done < length; ) {
        int part = (int) Math.min(PART_BYTES, length - done);
        Fillings.fill(region.bytes(), (int) (offset + done), part, value);
        done += part;
        if (done < length && region.isCut()) {
          return FabricError.NO_KEY;
        }
      }
      return null;
    } finally {
      region.leave();
    }
  }

  /** Moves bytes from a buffer to the region, or, if that is null, the other way. */
  private static FabricError move(
      DirectRegion region,
      boolean own,
      DirectBuffer from,
      MutableDirectBuffer to,
      long offset,
      int at,
      int length) {
    try {
      FabricError error = refusal(region, own, from != null, to != null, offset, length);
      return ended(region, error == null ? move(region, from, to, offset, at, length) : error);
    } catch (InternalError cut) {
      return cut();
    }
  }

  private static FabricError move(
      DirectRegion region,
      DirectBuffer from,
      MutableDirectBuffer to,
      long offset,
      int at,
      int length) {
    try {
      return isMoved(region, from, to, offset, at, length) ? null : FabricError.NO_KEY;
    } finally {
      region.leave();
    }
  }

  private static FabricError move(
      DirectRegion region,
      boolean own,
      DirectBuffer from,
      MutableDirectBuffer to,
      PieceRange pieces) {
    try {
      FabricError error =
          refusal(region, own, from != null, to != null, pieces.lowest(), pieces.span());
      return ended(region, error == null ? move(region, from, to, pieces) : error);
    } catch (InternalError cut) {
      return cut();
    }
  }

  private static FabricError move(
      DirectRegion region, DirectBuffer from, MutableDirectBuffer to, PieceRange pieces) {
    try {
      Pieces all = pieces.all();
      long unlooked = 0;
      for (int i = pieces.first(); i < pieces.end(); i++) {
        if (unlooked >= PART_BYTES) {
          unlooked = 0;
          if (region.isCut()) {
            return FabricError.NO_KEY;
          }
        }
        if (!isMoved(region, from, to, all.there(i), all.here(i), all.length(i))) {
          return FabricError.NO_KEY;
        }
        unlooked += all.length(i);
      }
      return null;
    } finally {
      region.leave();
    }
  }

  /** Moves bytes in a region that it has entered; false if that has closed meanwhile. */
  private static boolean isMoved(
      DirectRegion region,
      DirectBuffer from,
      MutableDirectBuffer to,
      long offset,
      int at,
      int length) {
    if (length == Long.BYTES) {
      // A call that copies memory takes longer than a word does.
      if (from != null) {
        region.bytes().putLong((int) offset, from.getLong(at));
      } else {
        to.putLong(at, region.bytes().getLong((int) offset));
      }
      return true;
    }
    for (int done = 0; done < length; ) {
      int part = Math.min(PART_BYTES, length - done);
      if (from != null) {
        region.bytes().putBytes((int) offset + done, from, at + done, part);
      } else {
        to.putBytes(at + done, region.bytes(), (int) offset + done, part);
      }
      done += part;
      if (done < length && region.isCut()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Updates elements.
   *
   * @param operands of all elements, from one place on; what they are compared with from another
   * @param old gets what was there before; null if nobody wants to know
   */
  public static FabricError update(
      DirectRegion region,
      boolean own,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      int count,
      DirectBuffer operands,
      int operandsAt,
      int comparesAt,
      MutableDirectBuffer old,
      int oldAt) {
    if (offset % kind.bytes() != 0) {
      return FabricError.INVALID;
    }
    try {
      boolean reads = old != null;
      long bytes = (long) count * kind.bytes();
      FabricError error = refusal(region, own, !op.onlyFetches(), reads, offset, bytes);
      if (error == null) {
        update(region, offset, op, kind, count, operands, operandsAt, comparesAt, old, oldAt);
      }
      return ended(region, error);
    } catch (InternalError cut) {
      return cut();
    }
  }

  private static void update(
      DirectRegion region,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      int count,
      DirectBuffer operands,
      int operandsAt,
      int comparesAt,
      MutableDirectBuffer old,
      int oldAt) {
    try {
      // Java does not guard a compare and set.
      if (region.hasItsFile()) {
        SharedAtomics.update(
            op,
            kind,
            count,
            region.bytes(),
            (int) offset,
            operands,
            operandsAt,
            comparesAt,
            old,
            oldAt);
      }
    } finally {
      region.leave();
    }
  }

  // ---- memory whose file another process may cut ----

  /** How an access has ended, after all that touches the memory. */
  private static FabricError ended(DirectRegion region, FabricError error) {
    return region.hasItsFile() ? error : FabricError.IO;
  }

  /** The JVM has told of an access, and may have more to tell. */
  private static FabricError cut() {
    MemoryEnd.letJvmThrow();
    return FabricError.IO;
  }

  // ---- what is refused ----

  /** Why an access must not be done; null if it may, then it has entered the region. */
  private static FabricError refusal(
      DirectRegion region, boolean own, boolean writes, boolean reads, long offset, long length) {
    int rights = region.pass().rights();
    RegionRight toWrite = own ? RegionRight.LOCAL_WRITE : RegionRight.REMOTE_WRITE;
    RegionRight toRead = own ? RegionRight.LOCAL_READ : RegionRight.REMOTE_READ;
    if (!Bounds.hold(offset, length, region.pass().length())
        || (writes && ((rights & toWrite.bit()) == 0 || !mayWrite(region, own)))
        || (reads && (rights & toRead.bit()) == 0)) {
      return region.isOpen() ? FabricError.ACCESS : FabricError.NO_KEY;
    }
    return region.enter() ? null : FabricError.NO_KEY;
  }

  /** What peers may not write can be mapped so that to write it would end the JVM. */
  private static boolean mayWrite(DirectRegion region, boolean own) {
    return own || region.pass().writable();
  }
}
