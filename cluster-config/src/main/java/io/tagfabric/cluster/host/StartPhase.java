package io.tagfabric.cluster.host;

/** How far a rank has come on its way into the job, and how out of it, by its own word. */
public enum StartPhase {
  /** It has said nothing yet. */
  JVM("starts its JVM"),
  /** Its JVM runs, its ActorSystem does not yet. */
  SYSTEM("starts its ActorSystem"),
  /** It looks for the other ranks. */
  MEETING("waits for the others"),
  /** It has called {@code System.exit}, and so ended a job that ends with 0. */
  EXITED("has called System.exit"),
  /** Another rank has ended that job before its program returned. */
  CUT_SHORT("has not come to the end of its program");

  private final String does;

  StartPhase(String does) {
    this.does = does;
  }

  /** What it does now, to follow its name. */
  public String does() {
    return does;
  }
}
