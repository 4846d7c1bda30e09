package io.tagfabric.bench.measure;

/** Something that matches messages by tags and can be measured. Thread: one. */
public interface MatchSubject {
  /** Its name, as in reports. */
  String name();

  /** How the frames travel. */
  String provider();

  /**
   * Matches as many messages as the depth says, each with a tag of its own, and returns when all
   * are complete.
   *
   * @return nanoseconds: of sending and matching all if receives are posted, of posting and
   *     matching all if messages wait
   */
  long run(MatchKind kind, int depth);
}
