package io.tagfabric.simulation.isolate;

import java.io.InputStream;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;

/**
 * What a rank's program gets instead of what its JVM would give it. {@link JvmEnvironment} hands
 * most of it on to the JVM; a simulation does not.
 *
 * <p>Thread: any thread of the program, several at once.
 */
public interface ProgramEnvironment {
  /** As {@link System#nanoTime}. */
  long nanoTime();

  /** The time of day; its zone is the JVM's. */
  Clock clock();

  /** As {@link Thread#sleep(long)}. */
  void sleep(Duration time) throws InterruptedException;

  /** As {@link java.util.concurrent.locks.LockSupport#parkNanos}; 0 parks without a limit. */
  void park(long timeNs);

  /**
   * A thread of the program is about to wait for a condition. Returns when the thread may make its
   * call: at once where the call itself waits, else when the condition holds or the time is over.
   *
   * @param ready whether the call would not block now; must have no effect
   * @param timeoutNs how long the call would wait, {@link Long#MAX_VALUE} for any time
   */
  void await(BooleanSupplier ready, long timeoutNs) throws InterruptedException;

  /** Whether {@link #await} waits itself, so that a call must not block. */
  boolean isCooperative();

  /** Starts a thread of the program. */
  void start(Thread thread);

  /** Makes the threads of executors. */
  ThreadFactory threads();

  /** Where asynchronous stages run that name no executor. */
  Executor executor();

  /** The next number of the source from which all random numbers of the program come. */
  long nextLong();

  /** Ends the rank with a code, after its shutdown hooks; does not return. */
  void exit(int code);

  /** Ends the rank at once; does not return. */
  void halt(int code);

  /** As {@link Runtime#addShutdownHook}, at the end of the rank. */
  void addShutdownHook(Thread hook);

  /** As {@link Runtime#removeShutdownHook}. */
  boolean removeShutdownHook(Thread hook);

  /** Variables of the rank's environment. */
  Map<String, String> variables();

  /** The rank's own system properties. */
  Properties properties();

  /** The rank's standard input. */
  InputStream in();

  /** The rank's standard output. */
  PrintStream out();

  /** The rank's error stream. */
  PrintStream err();

  /** Sets what {@link #in} returns. */
  void setIn(InputStream in);

  /** Sets what {@link #out} returns. */
  void setOut(PrintStream out);

  /** Sets what {@link #err} returns. */
  void setErr(PrintStream err);

  /**
   * The program is about to call something that no environment can take the place of.
   *
   * @throws UnsupportedOperationException if it must not
   */
  void onForeignCall(ForeignCall call);
}
