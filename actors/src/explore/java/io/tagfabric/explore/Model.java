package io.tagfabric.explore;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Threads and the memory that they share: named cells with small numbers, at first 0 unless said
 * otherwise.
 */
public final class Model {
  /** Says what is wrong with a state; null if nothing is. */
  @FunctionalInterface
  public interface Claim {
    /** Looks at the memory that all see. */
    String broken(int[] memory);
  }

  private final Mutant mutant;
  private final List<String> cells = new ArrayList<>();
  private final List<Integer> initial = new ArrayList<>();
  private final List<Program> programs = new ArrayList<>();
  private Claim always = memory -> null;
  private Claim atEnd = memory -> null;

  /** An empty model whose programs are changed by a mutant. */
  public Model(Mutant mutant) {
    this.mutant = mutant;
  }

  /** A cell of memory. */
  public int cell(String name, int value) {
    cells.add(name);
    initial.add(value);
    return cells.size() - 1;
  }

  /** The first of so many cells in a row. */
  public int cells(String name, int count, int value) {
    int first = cells.size();
    for (int i = 0; i < count; i++) {
      cell(name + "[" + i + "]", value);
    }
    return first;
  }

  /** A thread. */
  public Program thread(String name) {
    Program program = new Program(name, mutant);
    programs.add(program);
    return program;
  }

  /** What must hold in every state. */
  public Model always(Claim claim) {
    always = claim;
    return this;
  }

  /** What must hold when nothing can happen any more. */
  public Model atEnd(Claim claim) {
    atEnd = claim;
    return this;
  }

  /** What the methods of real classes do in this model, as {@link CodeListing} writes it. */
  public Map<String, List<String>> listings() {
    Map<String, List<String>> all = new LinkedHashMap<>();
    for (Program program : programs) {
      program
          .listings()
          .forEach(
              (method, listing) -> {
                List<String> before = all.putIfAbsent(method, listing);
                if (before != null && !before.equals(listing)) {
                  throw new IllegalStateException(method + " is " + before + " and " + listing);
                }
              });
    }
    return all;
  }

  Mutant mutant() {
    return mutant;
  }

  List<Program> programs() {
    return programs;
  }

  int[] initial() {
    return initial.stream().mapToInt(Integer::intValue).toArray();
  }

  String cellName(int cell) {
    return cells.get(cell);
  }

  Claim claimAlways() {
    return always;
  }

  Claim claimAtEnd() {
    return atEnd;
  }
}
