package io.tagfabric.provider;

import io.tagfabric.annotation.InternalApi;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A mark behind the last byte of mapped memory, in a cache line of its own. A file that another
 * process has cut at any place has lost it. Memory without a file below it ends the JVM where Java
 * does not guard an access, as a compare and set, and elsewhere gives an {@link InternalError} that
 * may come later: so who accesses it looks for the mark.
 *
 * <p>Thread: any.
 */
@InternalApi
public final class MemoryEnd {
  /** Bytes that it takes, at a multiple of them. */
  public static final int BYTES = 64;

  /** Of memory that nobody can cut. */
  public static final MemoryEnd FIXED;

  private static final long MARK = 0x646e4579_726f6d4dL;

  /** Known to no compiler, which would make small arrays without the JVM. */
  private static volatile int one = 1;

  /** Where such an array is seen, so that none is left out. */
  @SuppressWarnings("unused") // it is only written
  private static volatile byte[][] made;

  static {
    UnsafeBuffer fixed = new UnsafeBuffer(new byte[BYTES]);
    write(fixed, 0);
    FIXED = new MemoryEnd(fixed, 0);
  }

  private final UnsafeBuffer memory;
  private final int at;

  /** The mark at a place. */
  public MemoryEnd(DirectBuffer memory, int at) {
    this.memory = new UnsafeBuffer(memory);
    this.at = at;
  }

  /** Writes the mark; the owner does so before anybody else knows of the memory. */
  public static void write(MutableDirectBuffer memory, int at) {
    memory.putLong(at, MARK);
  }

  /**
   * Whether the memory has its file. After an access this says that the access was of memory: one
   * that has been cut never has its mark again. When it says no, the JVM has thrown here what it
   * had put off.
   */
  public boolean isThere() {
    try {
      if (memory.getLongVolatile(at) == MARK) {
        return true;
      }
    } catch (InternalError cut) {
      return false;
    }
    letJvmThrow();
    return false;
  }

  /**
   * Has the JVM throw what it has put off of memory touched before. Java 17 does so where compiled
   * or interpreted code comes back from the JVM itself, which it enters for an array of arrays; a
   * native method, as {@link Thread#yield}, is not enough.
   */
  public static void letJvmThrow() {
    int rows = one;
    try {
      made = new byte[rows][rows];
    } catch (InternalError putOff) {
      // That the memory has gone is known by its mark, or by the length of its file.
      return;
    }
  }
}
