package io.tagfabric.name;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The searches of a name service: one for each name, however many wait for it. Not thread-safe. */
final class Searches {
  private final Map<String, Search> byText = new TreeMap<>();
  private final Map<Long, Search> byNumber = new HashMap<>();
  private long lastNumber;

  /**
   * Joins the search for a name, or begins it.
   *
   * @param place null for all nodes of the cluster
   */
  Search join(NameService.Resolve resolve, NamePlace place) {
    Search search =
        byText.computeIfAbsent(
            resolve.name(), text -> new Search(text, place, place == null ? 0 : ++lastNumber));
    if (place != null) {
      byNumber.put(search.number(), search);
    }
    search.waiting().add(resolve);
    return search;
  }

  /** The search that one waits for, null if it does not any more. */
  Search of(NameService.Resolve resolve) {
    Search search = byText.get(resolve.name());
    return search == null || !search.waiting().contains(resolve) ? null : search;
  }

  /** The search at a place that has a number, null if it has ended. */
  Search numbered(long number) {
    return byNumber.get(number);
  }

  /** Ends the search for a name; returns who waits for it. */
  List<NameService.Resolve> end(String text) {
    Search search = byText.remove(text);
    if (search == null) {
      return List.of();
    }
    byNumber.remove(search.number());
    return search.waiting();
  }

  /** One waits no longer; returns how often it did. */
  int leave(NameService.Resolve resolve) {
    Search search = byText.get(resolve.name());
    int before = search.waiting().size();
    search.waiting().removeIf(resolve::equals);
    int left = search.waiting().size();
    if (left == 0) {
      end(resolve.name());
    }
    return before - left;
  }

  boolean isEmpty() {
    return byText.isEmpty();
  }

  /** All, as they are now. */
  Collection<Search> all() {
    return new ArrayList<>(byText.values());
  }
}
