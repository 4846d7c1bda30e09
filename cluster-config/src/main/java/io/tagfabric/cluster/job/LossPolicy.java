package io.tagfabric.cluster.job;

/** What becomes of a job that has lost a rank. */
public enum LossPolicy {
  /** The others have some time to end by themselves, then the job ends. */
  ABORT,
  /** The others go on. */
  CONTINUE
}
