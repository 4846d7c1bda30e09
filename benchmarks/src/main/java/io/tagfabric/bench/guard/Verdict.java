package io.tagfabric.bench.guard;

import java.util.Locale;

/** What the guard says of a row. */
enum Verdict {
  /** It has not become slower by the rule. */
  FINE,
  /** It has become slower by the rule, twice. */
  SLOWER,
  /** The other build does not measure it. */
  LEFT_OUT,
  /** It could not be measured, so nothing is known of it. */
  FAILED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
