package io.tagfabric.simulation.network;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Shared memory as a process sees it that may be killed between any two of its stores. Thread: the
 * simulation's.
 */
final class Mortal extends UnsafeBuffer {
  /** The life of a process, of which all that it has mapped depends. */
  static final class Life {
    private int stores = -1;

    /** Lets it end when it has made so many more stores. */
    void endAfter(int moreStores) {
      stores = moreStores;
    }

    /** Takes {@link #endAfter} back. */
    void goOn() {
      stores = -1;
    }

    private void spend() {
      if (stores == 0) {
        throw new Killed();
      }
      stores -= stores > 0 ? 1 : 0;
    }
  }

  /** The process makes no more steps. */
  static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Killed() {
      super("killed between two stores", null, false, false);
    }
  }

  private final Life life;

  Mortal(Life life, DirectBuffer memory, int offset, int length) {
    super(memory, offset, length);
    this.life = life;
  }

  @Override
  public void putInt(int index, int value) {
    life.spend();
    super.putInt(index, value);
  }

  @Override
  public void putIntOrdered(int index, int value) {
    life.spend();
    super.putIntOrdered(index, value);
  }

  @Override
  public void putLong(int index, long value) {
    life.spend();
    super.putLong(index, value);
  }

  @Override
  public void putLongOrdered(int index, long value) {
    life.spend();
    super.putLongOrdered(index, value);
  }

  @Override
  public boolean compareAndSetLong(int index, long expectedValue, long updateValue) {
    life.spend();
    return super.compareAndSetLong(index, expectedValue, updateValue);
  }

  @Override
  public void putBytes(int index, DirectBuffer srcBuffer, int srcIndex, int length) {
    life.spend();
    super.putBytes(index, srcBuffer, srcIndex, length);
  }
}
