package io.tagfabric.explore;

import java.util.Arrays;

/** States in the order found, each once, and how each was reached. */
final class StateSet {
  private byte[][] states = new byte[1 << 12][];
  private int[] parents = new int[1 << 12];
  private int[] moves = new int[1 << 12];
  private int[] table = new int[1 << 14];
  private int size;

  int size() {
    return size;
  }

  byte[] get(int index) {
    return states[index];
  }

  int parent(int index) {
    return parents[index];
  }

  int move(int index) {
    return moves[index];
  }

  /** Adds a state unless it is there. */
  boolean add(byte[] state, int parent, int move) {
    int slot = slot(state);
    if (table[slot] != 0) {
      return false;
    }
    if (size == states.length) {
      states = Arrays.copyOf(states, 2 * size);
      parents = Arrays.copyOf(parents, 2 * size);
      moves = Arrays.copyOf(moves, 2 * size);
    }
    states[size] = state;
    parents[size] = parent;
    moves[size] = move;
    table[slot] = ++size;
    if (2 * size > table.length) {
      table = new int[2 * table.length];
      for (int i = 0; i < size; i++) {
        table[slot(states[i])] = i + 1;
      }
    }
    return true;
  }

  private int slot(byte[] state) {
    int hash = Arrays.hashCode(state) * 0x9E3779B9;
    int slot = (hash ^ hash >>> 15) & (table.length - 1);
    while (table[slot] != 0 && !Arrays.equals(states[table[slot] - 1], state)) {
      slot = (slot + 1) & (table.length - 1);
    }
    return slot;
  }
}
