package io.tagfabric.cluster.host;

/** How far a rank has come on its way into the job, by its own word. */
public enum StartPhase {
  /** It has said nothing yet. */
  JVM("starts its JVM"),
  /** Its JVM runs, its ActorSystem does not yet. */
  SYSTEM("starts its ActorSystem"),
  /** It looks for the other ranks. */
  MEETING("waits for the others");

  private final String does;

  StartPhase(String does) {
    this.does = does;
  }

  /** What it does now, to follow its name. */
  public String does() {
    return does;
  }
}
