package io.tagfabric.memory;

import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * What a peer needs to access a region. It travels as {@value #LENGTH} bytes, in a message of the
 * fabric or of an actor. Who has it can do what its rights say, so give it to those who may.
 *
 * <p>Offsets begin at 0, the region's first byte.
 *
 * @param key of the region, unique in its domain
 * @param generation of the region: a descriptor of a region that was closed opens no later one with
 *     its key; 0 for whichever region has the key
 * @param lengthBytes of the region
 * @param rights that the region was registered with
 * @param incarnation uid of the ActorSystem that it is in; 0 for any
 * @source libfabric fi_mr(3), fi_mr_key
 */
public record RegionDescriptor(
    long key, long generation, long lengthBytes, Set<RegionRight> rights, long incarnation) {
  /** Bytes of an encoded descriptor. */
  public static final int LENGTH = 40;

  /** Of a generation: peers may reach the region themselves, so it is worth to look for it. */
  static final long DIRECT_BIT = 1;

  private static final int ALL_RIGHTS = RegionRight.bits(RegionRight.all());

  /**
   * Requires a length.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public RegionDescriptor {
    rights = Set.copyOf(rights);
    if (lengthBytes < 0) {
      throw new IllegalArgumentException("lengthBytes=" + lengthBytes + " < 0");
    }
  }

  /**
   * That of a region whose key both sides have agreed on, so that none need travel. What it says of
   * length and rights is checked here, and by the region itself.
   */
  public static RegionDescriptor agreed(long key, long lengthBytes) {
    return new RegionDescriptor(key, 0, lengthBytes, RegionRight.all(), 0);
  }

  /**
   * Who moves the bytes of accesses, and how elements are updated; fixed when it was registered.
   */
  public RegionReach reach() {
    return (generation & DIRECT_BIT) == 0 ? RegionReach.LOOP : RegionReach.DIRECT;
  }

  /** Writes {@value #LENGTH} bytes, little-endian. */
  public void encode(MutableDirectBuffer buffer, int offset) {
    buffer.putLong(offset, key, Little.ENDIAN);
    buffer.putLong(offset + 8, generation, Little.ENDIAN);
    buffer.putLong(offset + 16, lengthBytes, Little.ENDIAN);
    buffer.putLong(offset + 24, incarnation, Little.ENDIAN);
    buffer.putLong(offset + 32, RegionRight.bits(rights), Little.ENDIAN);
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws FabricException INVALID if the bytes are no descriptor
   */
  public static RegionDescriptor decode(DirectBuffer buffer, int offset) {
    if (offset < 0 || buffer.capacity() - offset < LENGTH) {
      throw new FabricException(
          FabricError.INVALID,
          "offset="
              + offset
              + " and the "
              + LENGTH
              + " bytes of a descriptor do not lie in capacity="
              + buffer.capacity());
    }
    long length = buffer.getLong(offset + 16, Little.ENDIAN);
    long rights = buffer.getLong(offset + 32, Little.ENDIAN);
    if (length < 0 || (rights & ~ALL_RIGHTS) != 0) {
      throw new FabricException(
          FabricError.INVALID,
          "lengthBytes=" + length + " rights=" + rights + " are of no descriptor of a region");
    }
    return new RegionDescriptor(
        buffer.getLong(offset, Little.ENDIAN),
        buffer.getLong(offset + 8, Little.ENDIAN),
        length,
        RegionRight.of((int) rights),
        buffer.getLong(offset + 24, Little.ENDIAN));
  }

  /**
   * Refuses an access that the region would refuse.
   *
   * @param write whether it changes the region
   * @param read whether it tells what is there
   * @param own whether the owner's endpoint accesses it
   * @throws FabricException ACCESS if it does not lie in the region, or the rights do not allow it
   */
  public void require(boolean own, boolean write, boolean read, long offset, long length) {
    if (!Bounds.hold(offset, length, lengthBytes)) {
      throw new FabricException(
          FabricError.ACCESS,
          "offset="
              + offset
              + " lengthBytes="
              + length
              + " do not lie in region key="
              + Long.toHexString(key)
              + ", whose lengthBytes="
              + lengthBytes);
    }
    RegionRight lacks =
        write && !allows(own, RegionRight.LOCAL_WRITE, RegionRight.REMOTE_WRITE)
            ? own ? RegionRight.LOCAL_WRITE : RegionRight.REMOTE_WRITE
            : read && !allows(own, RegionRight.LOCAL_READ, RegionRight.REMOTE_READ)
                ? own ? RegionRight.LOCAL_READ : RegionRight.REMOTE_READ
                : null;
    if (lacks != null) {
      throw new FabricException(
          FabricError.ACCESS,
          "region key="
              + Long.toHexString(key)
              + " has rights="
              + rights
              + ", register it with "
              + lacks
              + " too for offset="
              + offset
              + " lengthBytes="
              + length);
    }
  }

  /** Whether {@link #require} would let an access pass. */
  public boolean allows(boolean own, boolean write, boolean read, long offset, long length) {
    return Bounds.hold(offset, length, lengthBytes)
        && (!write || allows(own, RegionRight.LOCAL_WRITE, RegionRight.REMOTE_WRITE))
        && (!read || allows(own, RegionRight.LOCAL_READ, RegionRight.REMOTE_READ));
  }

  private boolean allows(boolean own, RegionRight local, RegionRight remote) {
    return rights.contains(own ? local : remote);
  }
}
