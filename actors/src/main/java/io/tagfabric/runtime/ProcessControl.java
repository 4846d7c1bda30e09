package io.tagfabric.runtime;

import io.tagfabric.annotation.InternalApi;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The process that a rank runs in, and its end. Of several ranks in one JVM each has its own.
 * Thread: any.
 */
@InternalApi
public interface ProcessControl {
  /** This JVM. */
  ProcessControl JVM = new JvmProcess();

  /**
   * What ranks on the same host know the process by, so that they notice its death; empty where
   * they cannot see it.
   */
  String identity();

  /**
   * Ends the process as {@link System#exit} does: its shutdown hooks run first. Never returns;
   * where the process is less than a JVM, it throws {@link ProcessEnded}.
   *
   * @param code 0 to 255
   */
  void exit(int code);

  /** Ends the process at once, without hooks. Never returns, in the same way. */
  void halt(int code);

  /**
   * Adds what runs, on a thread of its own, when the process begins to end by {@link #exit} or a
   * signal; the process ends when all of them have.
   */
  void addShutdownHook(String name, Runnable hook);

  /** Whether the process has begun to end, for whatever reason. */
  boolean isEnding();

  /** The code of the signal that has begun the end, if it was one. */
  Optional<Integer> signal();

  /**
   * From now on {@link #exitCode} knows the code of {@link System#exit}, where the JVM tells it:
   * from Java 21 on, by the logger {@code java.lang.Runtime}.
   */
  void hearExit();

  /** The code that {@link System#exit} was called with, if it was and that is known. */
  OptionalInt exitCode();

  /** Says something to people, on the process's error stream. */
  void say(String line);
}
