package io.tagfabric.name;

import java.util.ArrayList;
import java.util.List;

/** Those who look for one name, and what has been heard of it. Not thread-safe. */
final class Search {
  private final String text;
  private final NamePlace place;
  private final long number;
  private final List<NameService.Resolve> waiting = new ArrayList<>();
  private List<String> heard;

  Search(String text, NamePlace place, long number) {
    this.text = text;
    this.place = place;
    this.number = number;
  }

  /** What is looked for, as it was asked for. */
  String text() {
    return text;
  }

  /** Where alone it is looked for; null for all nodes of the cluster. */
  NamePlace place() {
    return place;
  }

  /** Tells a place's answer from one to an earlier search. */
  long number() {
    return number;
  }

  List<NameService.Resolve> waiting() {
    return waiting;
  }

  /** The place has answered: it holds these names, and not the one looked for. */
  void heard(List<String> names) {
    heard = List.copyOf(names);
  }

  /** The names that the place holds; null if it has never answered. */
  List<String> heard() {
    return heard;
  }
}
