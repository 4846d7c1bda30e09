package io.tagfabric.architecture.example;

import java.util.function.IntConsumer;

/** Prints and ends the JVM. */
public final class Talker {
  private Talker() {}

  static void print() {
    System.out.println("a library does not print");
  }

  static IntConsumer end() {
    return Runtime.getRuntime()::halt;
  }
}
