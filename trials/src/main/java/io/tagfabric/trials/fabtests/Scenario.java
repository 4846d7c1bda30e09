package io.tagfabric.trials.fabtests;

import java.util.Objects;

/**
 * Something that an installation has to do, and how two sides find out.
 *
 * @param name unique
 * @param set the group it belongs to
 * @param like the test of fabtests that checks the same
 * @param what one line for people
 * @param ranksOnly whether it needs a job, so that it runs between JVMs alone
 * @param body what each of the two sides does
 */
record Scenario(String name, String set, String like, String what, boolean ranksOnly, Body body) {
  /** What a side does; it throws if something is wrong. */
  interface Body {
    void run(Side side) throws Exception;
  }

  Scenario {
    Objects.requireNonNull(body, "body");
  }

  Scenario(String name, String set, String like, String what, Body body) {
    this(name, set, like, what, false, body);
  }
}
