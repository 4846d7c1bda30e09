package io.tagfabric.simulation.isolate;

/**
 * A call of a program that reaches what all ranks of a JVM share, or what lies outside of it.
 *
 * @param kind what it reaches
 * @param callee class and method that are called
 * @param caller class and method that call
 */
public record ForeignCall(Kind kind, String callee, String caller) {
  /** What a call may reach, and what to do instead. */
  public enum Kind {
    /** Other processes. */
    PROCESS("give the program what the other process would find out, as an argument or a file"),
    /** Handlers of signals, which are the JVM's. */
    SIGNAL("use Job.onExit, which learns of signals too"),
    /** Sockets and names of hosts. */
    NETWORK("exchange messages with the endpoints of the job"),
    /** Threads that no rank can be told to have started. */
    THREADS("use threads, or an executor of java.util.concurrent.Executors"),
    /** Waits for a monitor. */
    MONITOR("use a latch, a semaphore, a queue or a future of java.util.concurrent"),
    /** Classes that the rank's loader does not read. */
    CLASSES("put the classes on the class path of the program"),
    /** Native code. */
    NATIVE("call no native code"),
    /** The time, or random numbers, past the rank's own. */
    CLOCK("use java.time or System.nanoTime");

    private final String cure;

    Kind(String cure) {
      this.cure = cure;
    }

    /** What to do instead, as the end of a sentence. */
    public String cure() {
      return cure;
    }
  }

  /**
   * One sentence that refuses it.
   *
   * @param where the place that does not have it, such as {@code a simulation}
   */
  public String refusal(String where) {
    return caller + " calls " + callee + ", which " + where + " does not have; " + kind.cure();
  }
}
