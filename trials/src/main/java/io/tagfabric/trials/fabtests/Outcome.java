package io.tagfabric.trials.fabtests;

import io.tagfabric.report.JsonLine;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a scenario went, or why it did not run.
 *
 * @param provider empty if it did not run
 * @param where "jvm" for two sides in one JVM, "jvms" for one in each of two; empty if neither
 * @param reason why it failed or did not run, else empty
 */
record Outcome(
    String name,
    String set,
    String like,
    String provider,
    String where,
    Result result,
    String reason,
    double seconds) {
  /** As runfabtests.sh writes them. */
  enum Result {
    PASS("Pass"),
    FAIL("Fail"),
    NOTRUN("Notrun");

    private final String word;

    Result(String word) {
      this.word = word;
    }

    @Override
    public String toString() {
      return word;
    }
  }

  static Outcome pass(Scenario of, String provider, String where, double seconds) {
    return new Outcome(of.name(), of.set(), of.like(), provider, where, Result.PASS, "", seconds);
  }

  static Outcome fail(Scenario of, String provider, String where, String why, double seconds) {
    return new Outcome(of.name(), of.set(), of.like(), provider, where, Result.FAIL, why, seconds);
  }

  static Outcome notRun(Scenario of, String provider, String where, String why) {
    return new Outcome(of.name(), of.set(), of.like(), provider, where, Result.NOTRUN, why, 0);
  }

  Map<String, Object> row() {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("name", name);
    row.put("set", set);
    row.put("fabtest", like);
    row.put("provider", provider);
    row.put("where", where);
    row.put("result", result);
    row.put("time_s", seconds);
    row.put("reason", reason);
    return row;
  }

  /** What all together came to. */
  static JsonLine summary(Collection<Outcome> all) {
    return new JsonLine()
        .put("pass", count(all, Result.PASS))
        .put("fail", count(all, Result.FAIL))
        .put("notrun", count(all, Result.NOTRUN));
  }

  /** How many came to a result. */
  static long count(Collection<Outcome> all, Result wanted) {
    return all.stream().filter(each -> each.result() == wanted).count();
  }
}
