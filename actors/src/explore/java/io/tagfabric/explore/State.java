package io.tagfabric.explore;

import java.util.Arrays;
import java.util.List;

/** Memory, and of each thread its place, its registers and the stores that are not visible yet. */
final class State {
  /** Place of a thread whose process was killed. */
  static final int KILLED = -2;

  private static final int STORE_INTS = 3;

  private static final List<Step.Kind> STORES =
      List.of(Step.Kind.STORE_PLAIN, Step.Kind.STORE_RELEASE, Step.Kind.STORE_VOLATILE);

  final int[] memory;
  final int[] places;
  final int[][] registers;

  /** For each thread: cell, value, kind of the store, oldest first. */
  final int[][] buffers;

  /** For each thread: how many of these, the oldest, somebody waits for. */
  final int[] awaited;

  State(int[] memory, int[] places, int[][] registers, int[][] buffers) {
    this(memory, places, registers, buffers, new int[places.length]);
  }

  private State(int[] memory, int[] places, int[][] registers, int[][] buffers, int[] awaited) {
    this.memory = memory;
    this.places = places;
    this.registers = registers;
    this.buffers = buffers;
    this.awaited = awaited;
  }

  State copy() {
    int[][] copiedRegisters = new int[registers.length][];
    for (int i = 0; i < registers.length; i++) {
      copiedRegisters[i] = registers[i].clone();
    }
    return new State(
        memory.clone(), places.clone(), copiedRegisters, buffers.clone(), awaited.clone());
  }

  int pending(int thread) {
    return buffers[thread].length / STORE_INTS;
  }

  int pendingCell(int thread, int index) {
    return buffers[thread][index * STORE_INTS];
  }

  int pendingValue(int thread, int index) {
    return buffers[thread][index * STORE_INTS + 1];
  }

  Step.Kind pendingKind(int thread, int index) {
    return STORES.get(buffers[thread][index * STORE_INTS + 2]);
  }

  void push(int thread, int cell, int value, Step.Kind kind) {
    int[] before = buffers[thread];
    int[] after = Arrays.copyOf(before, before.length + STORE_INTS);
    after[before.length] = cell;
    after[before.length + 1] = value;
    after[before.length + 2] = STORES.indexOf(kind);
    buffers[thread] = after;
  }

  /** Somebody waits for the stores that are not visible now. */
  void beginToWait() {
    for (int thread = 0; thread < awaited.length; thread++) {
      awaited[thread] = pending(thread);
    }
  }

  /** Nobody does any more. */
  void endTheWait() {
    Arrays.fill(awaited, 0);
  }

  /** Whether all of those are visible. */
  boolean isOutlasted() {
    return Arrays.stream(awaited).allMatch(each -> each == 0);
  }

  /** Makes a store visible. */
  void flush(int thread, int index) {
    if (index < awaited[thread]) {
      awaited[thread]--;
    }
    memory[pendingCell(thread, index)] = pendingValue(thread, index);
    int[] before = buffers[thread];
    int[] after = new int[before.length - STORE_INTS];
    System.arraycopy(before, 0, after, 0, index * STORE_INTS);
    System.arraycopy(
        before,
        (index + 1) * STORE_INTS,
        after,
        index * STORE_INTS,
        before.length - (index + 1) * STORE_INTS);
    buffers[thread] = after;
  }

  /** Whether a store may become visible next: a plain one before others of other cells. */
  boolean mayFlush(int thread, int index) {
    if (index > 0 && pendingKind(thread, index) != Step.Kind.STORE_PLAIN) {
      return false;
    }
    for (int earlier = 0; earlier < index; earlier++) {
      if (pendingCell(thread, earlier) == pendingCell(thread, index)) {
        return false;
      }
    }
    return true;
  }

  boolean hasVolatilePending(int thread) {
    for (int i = 0; i < pending(thread); i++) {
      if (pendingKind(thread, i) == Step.Kind.STORE_VOLATILE) {
        return true;
      }
    }
    return false;
  }

  /** What a thread reads: its own last store, else what all see. */
  int read(int thread, int cell) {
    for (int i = pending(thread) - 1; i >= 0; i--) {
      if (pendingCell(thread, i) == cell) {
        return pendingValue(thread, i);
      }
    }
    return memory[cell];
  }

  // ---- as bytes, which is how states are kept ----

  byte[] encode() {
    int length = memory.length;
    for (int thread = 0; thread < places.length; thread++) {
      length += 4 + registers[thread].length + buffers[thread].length;
    }
    byte[] bytes = new byte[length];
    int at = put(bytes, 0, memory);
    for (int thread = 0; thread < places.length; thread++) {
      bytes[at++] = (byte) places[thread];
      bytes[at++] = (byte) (places[thread] >> 8);
      bytes[at++] = (byte) buffers[thread].length;
      bytes[at++] = (byte) awaited[thread];
      at = put(bytes, at, registers[thread]);
      at = put(bytes, at, buffers[thread]);
    }
    return bytes;
  }

  private static int put(byte[] bytes, int at, int[] values) {
    for (int i = 0; i < values.length; i++) {
      if (values[i] != (byte) values[i]) {
        throw new IllegalArgumentException("value=" + values[i] + " needs more than a byte");
      }
      bytes[at + i] = (byte) values[i];
    }
    return at + values.length;
  }

  /** The state that {@link #encode} has written; the other one gives the lengths. */
  static State decode(byte[] bytes, State shape) {
    int[] memory = new int[shape.memory.length];
    int at = take(bytes, 0, memory);
    int threads = shape.places.length;
    State state = new State(memory, new int[threads], new int[threads][], new int[threads][]);
    for (int thread = 0; thread < threads; thread++) {
      state.places[thread] = (bytes[at++] & 0xff) | bytes[at++] << 8;
      state.buffers[thread] = new int[bytes[at++]];
      state.awaited[thread] = bytes[at++];
      state.registers[thread] = new int[shape.registers[thread].length];
      at = take(bytes, at, state.registers[thread]);
      at = take(bytes, at, state.buffers[thread]);
    }
    return state;
  }

  private static int take(byte[] bytes, int at, int[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] = bytes[at + i];
    }
    return at + values.length;
  }
}
