package io.tagfabric.cluster.job;

/** What becomes of a job that has lost a rank, or of which one has failed. */
public enum LossPolicy {
  /** The others have some time to end by themselves, then the job ends; a failure ends it. */
  ABORT,
  /** The others go on. */
  CONTINUE
}
