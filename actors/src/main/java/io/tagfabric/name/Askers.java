package io.tagfabric.name;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Who has asked for names that nobody holds yet, to be told as soon as somebody does. Only so many
 * are kept, and no long names: who is not kept asks again. Not thread-safe.
 *
 * @param <A> who asks; equal if it is the same one
 */
final class Askers<A> {
  private final int most;
  private final Map<String, Set<A>> askers = new HashMap<>();
  private int size;

  /**
   * None yet.
   *
   * @param most are kept
   */
  Askers(int most) {
    this.most = most;
  }

  /** Keeps one, if there is room. */
  void add(String name, A asker) {
    if (size < most && NameRule.isName(name)) {
      size += askers.computeIfAbsent(name, key -> new LinkedHashSet<>()).add(asker) ? 1 : 0;
    }
  }

  /** Those who have asked for a name; they are not kept any more. */
  Set<A> take(String name) {
    Set<A> taken = askers.remove(name);
    if (taken == null) {
      return Set.of();
    }
    size -= taken.size();
    return taken;
  }

  /** How many are kept. */
  int size() {
    return size;
  }

  void clear() {
    askers.clear();
    size = 0;
  }
}
