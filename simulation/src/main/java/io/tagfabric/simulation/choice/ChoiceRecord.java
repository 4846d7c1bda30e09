package io.tagfabric.simulation.choice;

/** The numbers that have decided a run, in order. A value. */
public final class ChoiceRecord {
  private final int[] numbers;

  ChoiceRecord(int[] numbers) {
    this.numbers = numbers;
  }

  /** How many there are. */
  public int length() {
    return numbers.length;
  }

  /** A copy of them. */
  public int[] numbers() {
    return numbers.clone();
  }
}
