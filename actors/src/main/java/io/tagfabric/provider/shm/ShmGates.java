package io.tagfabric.provider.shm;

import io.tagfabric.provider.AccessMark;
import io.tagfabric.provider.RegionGate;
import java.util.function.IntPredicate;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What stands before the bytes of fabric memory for peers that access its regions themselves: the
 * regions' gates, and a place for each domain that has mapped it, with its mark and its own file,
 * by which the owner finds out whether it lives.
 *
 * <pre>
 *    4096  places: {@value #PLACES} of {@value #PLACE_BYTES} bytes
 *             0  state (4): free, taken, ready
 *             4  length of the path (4)
 *             8  token of the domain (8)
 *            16  the domain's file
 *           384  mark (8): the generation of the region that the domain is inside, or 0
 *   36864  gates: {@value #GATES} of 64 bytes
 * </pre>
 */
final class ShmGates {
  static final int PLACES_AT = 4096;
  static final int PLACES = 64;
  static final int PLACE_BYTES = 512;
  static final int GATES_AT = PLACES_AT + PLACES * PLACE_BYTES;
  static final int GATES = 448;

  /** Where the bytes of the memory begin. */
  static final int END = GATES_AT + GATES * RegionGate.BYTES;

  private static final int FREE = 0;
  private static final int TAKEN = 1;
  private static final int READY = 2;
  private static final int PATH_LENGTH = 4;
  private static final int TOKEN = 8;
  private static final int PATH = 16;
  private static final int MARK = 384;
  private static final int MOST_PATH_BYTES = MARK - PATH;

  private final UnsafeBuffer words;

  /** Those in the mapped memory before the bytes. */
  ShmGates(UnsafeBuffer words) {
    this.words = words;
  }

  private static int placeAt(int place) {
    return PLACES_AT + place * PLACE_BYTES;
  }

  // ---- the owner's ----

  RegionGate gate(int number) {
    return new RegionGate(words, GATES_AT + number * RegionGate.BYTES);
  }

  int numberOf(RegionGate gate) {
    return (gate.at() - GATES_AT) / RegionGate.BYTES;
  }

  /**
   * Whether no domain that lives is inside a region.
   *
   * @param isAlive whether the domain of a place lives; costs a system call
   */
  boolean isQuiet(long generation, IntPredicate isAlive) {
    for (int place = 0; place < PLACES; place++) {
      if (mark(place).isInside(generation) && isAlive.test(place)) {
        return false;
      }
    }
    return true;
  }

  /** Frees the places of domains that have died. */
  void sweep(IntPredicate isAlive) {
    for (int place = 0; place < PLACES; place++) {
      if (words.getIntVolatile(placeAt(place)) == READY && !isAlive.test(place)) {
        mark(place).clear();
        release(place);
      }
    }
  }

  /** Whether few places are left. */
  boolean isCrowded() {
    int free = 0;
    for (int place = 0; place < PLACES; place++) {
      free += words.getIntVolatile(placeAt(place)) == FREE ? 1 : 0;
    }
    return free < PLACES / 4;
  }

  /** The file of the domain that has a place; null if what stands there is none. */
  byte[] path(int place) {
    int length = words.getInt(placeAt(place) + PATH_LENGTH);
    if (length <= 0 || length > MOST_PATH_BYTES) {
      return null;
    }
    byte[] path = new byte[length];
    words.getBytes(placeAt(place) + PATH, path);
    return path;
  }

  /** The token of that domain. */
  long token(int place) {
    return words.getLong(placeAt(place) + TOKEN);
  }

  // ---- a peer's ----

  /**
   * Takes a place.
   *
   * @param path of the domain's file
   * @return -1 if none is free, or the path is too long
   */
  int take(byte[] path, long token) {
    if (path.length > MOST_PATH_BYTES) {
      return -1;
    }
    for (int place = 0; place < PLACES; place++) {
      int at = placeAt(place);
      if (words.getIntVolatile(at) == FREE && words.compareAndSetInt(at, FREE, TAKEN)) {
        words.putInt(at + PATH_LENGTH, path.length);
        words.putLong(at + TOKEN, token);
        words.putBytes(at + PATH, path);
        mark(place).clear();
        words.putIntOrdered(at, READY);
        return place;
      }
    }
    return -1;
  }

  /** Gives a place back, whose domain is inside nothing. */
  void release(int place) {
    words.putIntOrdered(placeAt(place), FREE);
  }

  AccessMark mark(int place) {
    return new AccessMark(words, placeAt(place) + MARK);
  }

  /** The gate that is open for a region; null if there is none. */
  RegionGate find(long generation) {
    for (int number = 0; number < GATES; number++) {
      RegionGate gate = gate(number);
      if (gate.isOpen(generation)) {
        return gate;
      }
    }
    return null;
  }
}
