package io.tagfabric.provider;

import io.tagfabric.annotation.InternalApi;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What a region that peers access themselves tells them, in memory that all of them see. An access
 * marks that it is inside, then looks whether the region is open; a close says that it is not, then
 * looks at the marks. So one of both sees the other.
 *
 * <pre>
 *   0  open (8): the region's generation, 0 when it is closed
 *   8  cut (8): the generation of which long accesses end at their next part
 *  16  key, at, length, rights, whether peers may write (8 each)
 * </pre>
 *
 * <p>Thread: any.
 */
@InternalApi
public final class RegionGate {
  /** Bytes of a gate, which begins at a multiple of them. */
  public static final int BYTES = 64;

  private static final int CUT = 8;
  private static final int KEY = 16;
  private static final int AT = 24;
  private static final int LENGTH = 32;
  private static final int RIGHTS = 40;
  private static final int WRITABLE = 48;

  private final UnsafeBuffer words;
  private final int openAt;
  private final int at;

  /** The gate at a place. */
  public RegionGate(UnsafeBuffer words, int at) {
    this.words = words;
    this.at = at;
    openAt = at;
  }

  /**
   * Opens it.
   *
   * @param generation of the region, not 0
   * @param bytesAt where in the memory of the gate's owner the region begins
   */
  public void open(long generation, long bytesAt, RegionPass pass) {
    words.putLong(at + KEY, pass.key());
    words.putLong(at + AT, bytesAt);
    words.putLong(at + LENGTH, pass.length());
    words.putLong(at + RIGHTS, pass.rights());
    words.putLong(at + WRITABLE, pass.writable() ? 1 : 0);
    words.putLongOrdered(openAt, generation);
  }

  /** Refuses every access from now on; those that are inside have marks, which are to be seen. */
  public void shut() {
    words.putLongOrdered(openAt, 0);
    VarHandle.fullFence();
  }

  /** Long accesses of a generation end at their next part. */
  public void cut(long generation) {
    words.putLongOrdered(at + CUT, generation);
  }

  /** Whether a long access must end. */
  public boolean isCut(long generation) {
    return words.getLongVolatile(at + CUT) == generation;
  }

  /** Begins an access; if false, it must touch nothing. */
  public boolean enter(AccessMark mark, long generation) {
    mark.set(generation);
    VarHandle.fullFence();
    if (words.getLongVolatile(openAt) == generation) {
      return true;
    }
    mark.clear();
    return false;
  }

  /** Whether it is open for a generation. */
  public boolean isOpen(long generation) {
    return words.getLongVolatile(openAt) == generation;
  }

  /**
   * What it says of the region that is open.
   *
   * @return null if that is no more the one of this generation
   */
  public RegionPass pass(long generation) {
    RegionPass pass =
        new RegionPass(
            words.getLong(at + KEY),
            words.getLong(at + LENGTH),
            (int) words.getLong(at + RIGHTS),
            words.getLong(at + WRITABLE) != 0);
    VarHandle.acquireFence();
    return isOpen(generation) ? pass : null;
  }

  /** Where in its memory the gate stands. */
  public int at() {
    return at;
  }

  /** Where the region begins. */
  public long bytesAt() {
    return words.getLong(at + AT);
  }
}
