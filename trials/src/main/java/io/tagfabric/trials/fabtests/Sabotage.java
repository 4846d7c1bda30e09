package io.tagfabric.trials.fabtests;

import io.tagfabric.complete.Completion;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/**
 * A lie between an endpoint and a scenario, which the scenario has to find. One object serves one
 * side. Thread: one.
 */
class Sabotage {
  /** Hands everything on as it is. */
  static Sabotage none() {
    return new Sabotage();
  }

  /** Takes how an operation ended, and hands on what the scenario is to see. */
  void see(Slot slot, Completion completion, BiConsumer<Slot, Completion> next) {
    next.accept(slot, completion);
  }

  /** Takes what a read has brought. */
  void seeRead(byte[] bytes) {
    // It stays as it is.
  }

  /** One byte of what is read is another. */
  static final class WrongRead extends Sabotage {
    @Override
    void seeRead(byte[] bytes) {
      if (bytes.length > 0) {
        bytes[bytes.length / 2] ^= 1;
      }
    }
  }

  /** One byte of a message that comes is another. */
  static final class WrongByte extends Sabotage {
    @Override
    void see(Slot slot, Completion completion, BiConsumer<Slot, Completion> next) {
      if (completion instanceof Completion.Received received && received.length() > 0) {
        slot.bytes[(int) received.length() / 2] ^= 1;
      }
      next.accept(slot, completion);
    }
  }

  /** The first receive that ends is not told. */
  static final class LostCompletion extends Sabotage {
    private boolean lost;

    @Override
    void see(Slot slot, Completion completion, BiConsumer<Slot, Completion> next) {
      if (slot.isReceive && !lost) {
        lost = true;
        return;
      }
      next.accept(slot, completion);
    }
  }

  /** Two receives have got each other's message. */
  static final class Swapped extends Sabotage {
    private Slot held;
    private Completion heldCompletion;
    private boolean swapped;

    @Override
    void see(Slot slot, Completion completion, BiConsumer<Slot, Completion> next) {
      if (swapped || !slot.isReceive) {
        next.accept(slot, completion);
      } else if (held == null) {
        held = slot;
        heldCompletion = completion;
      } else {
        swapped = true;
        byte[] first = held.bytes.clone();
        copy(slot.bytes, held.bytes);
        copy(first, slot.bytes);
        next.accept(held, completion);
        next.accept(slot, heldCompletion);
      }
    }

    private static void copy(byte[] from, byte[] to) {
      Arrays.fill(to, Link.FILL);
      System.arraycopy(from, 0, to, 0, Math.min(from.length, to.length));
    }
  }

  /** A receive that failed seems to have got its message. */
  static final class MissingError extends Sabotage {
    @Override
    void see(Slot slot, Completion completion, BiConsumer<Slot, Completion> next) {
      if (completion instanceof Completion.Failed failed && slot.isReceive) {
        next.accept(
            slot,
            new Completion.Received(
                null, failed.peer(), true, failed.tag(), 0, failed.length(), false, 0));
      } else {
        next.accept(slot, completion);
      }
    }
  }

  /** A receive that ends keeps its reader for ever. */
  static final class Hang extends Sabotage {
    @Override
    void see(Slot slot, Completion completion, BiConsumer<Slot, Completion> next) {
      while (slot.isReceive && !Thread.currentThread().isInterrupted()) {
        LockSupport.park();
      }
      next.accept(slot, completion);
    }
  }
}
