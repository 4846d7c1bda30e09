package io.tagfabric.memory;

import io.tagfabric.annotation.InternalApi;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * The pieces of an access by slices: bytes that lie in one row in the region and in the buffer. As
 * few as there can be, none of them empty.
 */
@InternalApi
public final class Pieces {
  private long[] there;
  private int[] here;
  private int[] lengths;
  private int count;
  private long bytes;
  private long lowest = Long.MAX_VALUE;
  private long end;
  private int hereEnd;

  private Pieces(int most) {
    there = new long[most];
    here = new int[most];
    lengths = new int[most];
  }

  /**
   * Cuts the bytes where one of both sides does.
   *
   * @throws IllegalArgumentException if one has more bytes than the other, or more than a buffer
   *     has
   */
  public static Pieces of(Slices there, Slices here) {
    if (there.bytes() != here.bytes() || here.bytes() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "bytes="
              + there.bytes()
              + " in the region and bytes="
              + here.bytes()
              + " in the buffer, give equally many, of 2 GiB at most");
    }
    Pieces pieces = new Pieces(there.count() + here.count());
    int own = 0;
    int ownDone = 0;
    for (int piece = 0; piece < there.count(); piece++) {
      for (int done = 0; done < there.length(piece); ) {
        while (ownDone == here.length(own)) {
          own++;
          ownDone = 0;
        }
        int part = Math.min(there.length(piece) - done, here.length(own) - ownDone);
        pieces.add(there.offset(piece) + done, here.offset(own) + ownDone, part);
        done += part;
        ownDone += part;
      }
    }
    return pieces;
  }

  private void add(long thereAt, long hereAt, int length) {
    if (hereAt > Integer.MAX_VALUE - length) {
      throw new IllegalArgumentException("offset=" + hereAt + " does not lie in a buffer");
    }
    bytes += length;
    lowest = Math.min(lowest, thereAt);
    end = Math.max(end, thereAt + length);
    hereEnd = Math.max(hereEnd, (int) hereAt + length);
    int last = count - 1;
    if (last >= 0
        && there[last] + lengths[last] == thereAt
        && here[last] + lengths[last] == hereAt) {
      lengths[last] += length;
      return;
    }
    if (count == there.length) {
      there = Arrays.copyOf(there, 2 * count);
      here = Arrays.copyOf(here, 2 * count);
      lengths = Arrays.copyOf(lengths, 2 * count);
    }
    there[count] = thereAt;
    here[count] = (int) hereAt;
    lengths[count] = length;
    count++;
  }

  /** How many there are. */
  public int count() {
    return count;
  }

  /** Where in the region a piece is. */
  public long there(int piece) {
    return there[piece];
  }

  /** Where in the buffer it is. */
  public int here(int piece) {
    return here[piece];
  }

  /** Its bytes. */
  public int length(int piece) {
    return lengths[piece];
  }

  /** Bytes of all. */
  public long bytes() {
    return bytes;
  }

  /** Where in the region the first byte is; 0 if there is none. */
  public long lowest() {
    return count == 0 ? 0 : lowest;
  }

  /** Bytes of the region from the first to the last. */
  public long span() {
    return end - lowest();
  }

  /** Whether all lie in a buffer. */
  public boolean lieIn(DirectBuffer buffer) {
    return hereEnd <= buffer.capacity();
  }

  /** How many bytes a buffer needs. */
  public int hereEnd() {
    return hereEnd;
  }
}
