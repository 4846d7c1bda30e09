package io.tagfabric.trials.fuzz;

import io.tagfabric.trials.fuzz.Violation.Promise;

/** Operations that the victim has accepted: each must end once. Thread: one. */
final class Ledger {
  /** What an operation is for. */
  enum Use {
    /** A receive for messages of attackers. */
    RECEIVE,
    /** A receive that no message is for: it ends with the flow of the attacker it names. */
    SENTINEL,
    /** A send to an attacker. */
    SEND,
    /** An access to its memory. */
    ACCESS,
    /** A receive for the friend. */
    FRIEND_RECEIVE,
    /** An answer to the friend. */
    FRIEND_SEND
  }

  /** An operation; the context of its completion. */
  static final class Operation {
    private final Use use;
    private final Target target;
    private final Canaries.Part part;
    private long number;
    private boolean ended;

    private Operation(Use use, Target target, Canaries.Part part) {
      this.use = use;
      this.target = target;
      this.part = part;
    }

    Use use() {
      return use;
    }

    /** Which message of the friend a receive for it takes. */
    long number() {
      return number;
    }

    void number(long newNumber) {
      number = newNumber;
    }

    /** The attacker it names, null if none. */
    Target target() {
      return target;
    }

    /** Its bytes, null if it has none of its own. */
    Canaries.Part part() {
      return part;
    }
  }

  /** A peer as operations name it. */
  static final class Target {
    private final int peer;
    private long open;
    private long endedNs;
    private boolean ended;

    Target(int peer) {
      this.peer = peer;
    }

    int peer() {
      return peer;
    }

    boolean hasEnded() {
      return ended;
    }

    void ended(long nowNs) {
      ended = true;
      endedNs = nowNs;
    }

    /** Throws if operations that name it are left long after its flow has ended. */
    void check(long nowNs, long patienceNs) {
      if (ended && open > 0 && nowNs - endedNs > patienceNs) {
        throw new Violation(
            Promise.END,
            open
                + " operations with peer="
                + peer
                + " have not ended "
                + patienceNs / 1_000_000_000
                + " s after its flow");
      }
    }
  }

  private long accepted;
  private long ended;

  /** An operation that will be accepted, or taken back. */
  Operation begin(Use use, Target target, Canaries.Part part) {
    accepted++;
    if (target != null) {
      target.open++;
    }
    return new Operation(use, target, part);
  }

  /** It was not accepted. */
  void takeBack(Operation operation) {
    accepted--;
    if (operation.target != null) {
      operation.target.open--;
    }
  }

  /** It has ended. */
  void end(Operation operation) {
    if (operation.ended) {
      throw new Violation(Promise.END, "an operation ended twice: " + operation.use);
    }
    operation.ended = true;
    ended++;
    if (operation.target != null) {
      operation.target.open--;
    }
  }

  /** Accepted so far. */
  long accepted() {
    return accepted;
  }

  /** Throws unless all have ended. */
  void requireAllEnded() {
    if (ended != accepted) {
      throw new Violation(
          Promise.END,
          accepted
              - ended
              + " of "
              + accepted
              + " accepted operations have not ended at the close");
    }
  }
}
