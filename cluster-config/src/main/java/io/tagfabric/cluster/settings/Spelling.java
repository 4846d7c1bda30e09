package io.tagfabric.cluster.settings;

import io.tagfabric.annotation.InternalApi;
import java.util.Collection;
import java.util.Optional;

/** Guesses which known name a misspelt one was to be. */
@InternalApi
public final class Spelling {
  private Spelling() {}

  /** The known name with the fewest edits, if that leaves most of the name as it is. */
  public static Optional<String> nearest(String name, Collection<String> known) {
    String best = null;
    int fewest = Math.max(2, name.length() / 3);
    for (String candidate : known.stream().sorted().toList()) {
      int edits = edits(name, candidate);
      if (edits < fewest || (edits == fewest && best == null)) {
        fewest = edits;
        best = candidate;
      }
    }
    return Optional.ofNullable(best);
  }

  private static int edits(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int above = row[j];
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(diagonal + change, Math.min(above, row[j - 1]) + 1);
        diagonal = above;
      }
    }
    return row[b.length()];
  }
}
