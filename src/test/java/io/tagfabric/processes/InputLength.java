package io.tagfabric.processes;

import java.io.IOException;

/** A program that says how many bytes its standard input has. */
final class InputLength {
  private InputLength() {}

  public static void main(String[] args) throws IOException {
    System.out.println("read " + System.in.readAllBytes().length);
  }
}
