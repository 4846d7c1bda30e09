package io.tagfabric.memory;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.provider.DirectRegion;
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
    FabricError refused = refusal(region, own, true, false, offset, length);
    if (refused != null) {
      return refused;
    }
    try {
      for (int done = 0; done < length; ) {
        int part = Math.min(PART_BYTES, length - done);
        region.bytes().putBytes((int) offset + done, from, at + done, part);
        done += part;
        if (done < length && region.isCut()) {
          return FabricError.NO_KEY;
        }
      }
      return null;
    } catch (InternalError cut) {
      return FabricError.IO;
    } finally {
      region.leave();
    }
  }

  /** Reads bytes. */
  public static FabricError read(
      DirectRegion region, boolean own, long offset, MutableDirectBuffer to, int at, int length) {
    FabricError refused = refusal(region, own, false, true, offset, length);
    if (refused != null) {
      return refused;
    }
    try {
      for (int done = 0; done < length; ) {
        int part = Math.min(PART_BYTES, length - done);
        to.putBytes(at + done, region.bytes(), (int) offset + done, part);
        done += part;
        if (done < length && region.isCut()) {
          return FabricError.NO_KEY;
        }
      }
      return null;
    } catch (InternalError cut) {
      return FabricError.IO;
    } finally {
      region.leave();
    }
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
    FabricError refused =
        refusal(region, own, !op.onlyFetches(), old != null, offset, (long) count * kind.bytes());
    if (refused != null) {
      return refused;
    }
    try {
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
      return null;
    } catch (InternalError cut) {
      return FabricError.IO;
    } finally {
      region.leave();
    }
  }

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
