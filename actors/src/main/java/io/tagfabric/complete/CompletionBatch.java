package io.tagfabric.complete;

import java.util.Arrays;
import java.util.Objects;

/**
 * Completions that one pass of a loop collects before it publishes them together.
 *
 * <p>Grows to the largest batch seen and reuses its entries. One thread at a time.
 */
public final class CompletionBatch {
  private static final int INITIAL_LENGTH = 16;

  private CompletionEntry[] entries = new CompletionEntry[INITIAL_LENGTH];
  private int size;

  /** Adds an empty entry and returns it to be filled. */
  public CompletionEntry next() {
    if (size == entries.length) {
      entries = Arrays.copyOf(entries, size * 2);
    }
    CompletionEntry entry = entries[size];
    if (entry == null) {
      entry = new CompletionEntry();
      entries[size] = entry;
    }
    size++;
    return entry;
  }

  /** How many entries are in the batch. */
  public int size() {
    return size;
  }

  /** Whether nothing was added since the last {@link #clear()} or publish. */
  public boolean isEmpty() {
    return size == 0;
  }

  /**
   * The entry at this position in the order added.
   *
   * @throws IndexOutOfBoundsException if {@code index} is not below {@link #size()}
   */
  public CompletionEntry get(int index) {
    return entries[Objects.checkIndex(index, size)];
  }

  /** Forgets all entries and what they refer to. */
  public void clear() {
    for (int i = 0; i < size; i++) {
      entries[i].clear();
    }
    size = 0;
  }

  /** Takes the entry at {@code index} out for good and leaves {@code empty} (or null) there. */
  CompletionEntry exchange(int index, CompletionEntry empty) {
    CompletionEntry full = entries[index];
    entries[index] = empty;
    return full;
  }

  /** Ends the batch after every entry was exchanged. */
  void exchanged() {
    size = 0;
  }
}
