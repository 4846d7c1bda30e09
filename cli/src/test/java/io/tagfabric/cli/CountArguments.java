package io.tagfabric.cli;

/** A program of the tests. */
final class CountArguments {
  private CountArguments() {}

  public static void main(String[] args) {
    System.out.println(args.length + " arguments: " + String.join(" ", args));
  }
}
