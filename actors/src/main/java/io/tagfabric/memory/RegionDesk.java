package io.tagfabric.memory;

import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What actors of the owner ask of a region, under its local rights. Plain; single threaded: the
 * domain's loop.
 */
final class RegionDesk {
  private final Region region;

  RegionDesk(Region region) {
    this.region = region;
  }

  /**
   * Reads bytes.
   *
   * @throws FabricException NO_KEY of a closed region, ACCESS of what it does not allow
   */
  DirectBuffer read(long offset, int length) {
    require(false, true, offset, length);
    UnsafeBuffer bytes = new UnsafeBuffer(new byte[length]);
    region.buffer().getBytes((int) offset, bytes, 0, length);
    region.reads++;
    region.readBytes += length;
    return bytes;
  }

  /** Writes bytes; as {@link #read}. */
  void write(long offset, DirectBuffer bytes) {
    int length = bytes.capacity();
    require(true, false, offset, length);
    region.buffer().putBytes((int) offset, bytes, 0, length);
    region.writes++;
    region.writtenBytes += length;
  }

  /**
   * Updates elements and tells what they were before.
   *
   * @param compares null if the operation does not compare
   * @throws FabricException as {@link #read}; INVALID, OPERATION_NOT_SUPPORTED
   */
  DirectBuffer update(
      long offset, AtomicOp op, AtomicKind kind, DirectBuffer operands, DirectBuffer compares) {
    requireUpdate(offset, op, kind, operands, compares);
    int bytes = operands.capacity();
    require(!op.onlyFetches(), true, offset, bytes);
    UnsafeBuffer both = new UnsafeBuffer(new byte[2 * bytes]);
    both.putBytes(0, operands, 0, bytes);
    if (compares != null) {
      both.putBytes(bytes, compares, 0, bytes);
    }
    UnsafeBuffer old = new UnsafeBuffer(new byte[bytes]);
    int count = bytes / kind.bytes();
    if (region.isShared()) {
      SharedAtomics.update(op, kind, count, region.words(), (int) offset, both, 0, bytes, old, 0);
    } else {
      region.buffer().getBytes((int) offset, old, 0, bytes);
      Atomics.update(op, kind, count, region.buffer(), (int) offset, both, 0, bytes);
    }
    region.atomics++;
    return old;
  }

  private static void requireUpdate(
      long offset, AtomicOp op, AtomicKind kind, DirectBuffer operands, DirectBuffer compares) {
    if (!op.takes(kind) || op.compares() != (compares != null)) {
      throw new FabricException(
          FabricError.OPERATION_NOT_SUPPORTED,
          op
              + " of "
              + kind
              + " elements "
              + (compares == null ? "without" : "with")
              + " a comparison is not known");
    }
    boolean whole = operands.capacity() % kind.bytes() == 0;
    if (!whole
        || (compares != null && compares.capacity() != operands.capacity())
        || offset % kind.bytes() != 0) {
      throw new FabricException(
          FabricError.INVALID,
          "offset="
              + offset
              + " operandBytes="
              + operands.capacity()
              + (compares == null ? "" : " compareBytes=" + compares.capacity())
              + " are not multiples of elementBytes="
              + kind.bytes()
              + ", or not equally many");
    }
  }

  private void require(boolean write, boolean read, long offset, int length) {
    if (!region.isOpen() || region.buffer() == null) {
      throw new FabricException(
          FabricError.NO_KEY,
          "region key=" + Long.toHexString(region.key()) + " is closed, register another");
    }
    region.descriptor().require(true, write, read, offset, length);
  }
}
