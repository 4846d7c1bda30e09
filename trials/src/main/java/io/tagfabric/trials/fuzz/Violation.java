package io.tagfabric.trials.fuzz;

/** A promise was broken; the message says which, in one sentence. */
final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Which promise. */
  enum Promise {
    /** No byte outside what a receive was given and told. */
    BUFFER,
    /** Messages of others are right and in order. */
    FRIEND,
    /** Memory is bounded. */
    MEMORY,
    /** Everything ends, once, and in time. */
    END,
    /** Nobody without the job's key is answered. */
    SILENCE,
    /** The endpoint lives and logs no error. */
    LIFE
  }

  private final Promise promise;

  Violation(Promise promise, String message) {
    this(promise, message, null);
  }

  Violation(Promise promise, String message, Throwable cause) {
    super(message, cause);
    this.promise = promise;
  }

  Promise promise() {
    return promise;
  }
}
