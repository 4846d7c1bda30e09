package io.tagfabric.progress;

/**
 * Which threads may call into a domain in MANUAL mode; {@code tagfabric.progress.threads}. In AUTO
 * mode, where the progress thread is a second one, it changes nothing.
 *
 * @source libfabric fi_domain(3), FI_THREAD_SAFE and FI_THREAD_DOMAIN; MPI-4.1 §11.6,
 *     MPI_THREAD_MULTIPLE and MPI_THREAD_SINGLE
 */
public enum ThreadUse {
  /** Any thread at any time: each call takes the loop with a compare-and-set. */
  ANY,
  /**
   * One thread, fixed by its first post, read or wait: its calls take the loop with plain stores. A
   * call of another thread is an error until the first has given the domain away.
   */
  ONE
}
