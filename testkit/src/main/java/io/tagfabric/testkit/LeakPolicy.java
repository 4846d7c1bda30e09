package io.tagfabric.testkit;

/** What becomes of a test that leaves something behind. */
public enum LeakPolicy {
  /** It fails. If it has failed before, the leaks are a suppressed failure of that one. */
  FAIL,

  /** The log says so, as a warning. */
  WARN,

  /** Nothing; leaks are not looked for. */
  IGNORE
}
