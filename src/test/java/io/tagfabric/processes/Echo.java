package io.tagfabric.processes;

/** A program that prints a variable of its environment, and its arguments between bars. */
final class Echo {
  private Echo() {}

  public static void main(String[] args) {
    System.out.println(System.getenv(args[0]) + "|" + String.join("|", args) + "|");
  }
}
