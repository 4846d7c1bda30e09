package io.tagfabric.fabric;

import java.util.Map;

/**
 * What a management console sees of an open domain, under the name {@code
 * io.tagfabric:type=Domain,rank=R,incarnation=I,name=N}; the incarnation, which is that of the
 * ActorSystem, tells apart what shares a JVM. Thread: any.
 *
 * <p>Queues and flows are read between two passes of the loop. Where the loop does not answer in
 * half a second, since a program that drives it alone computes, the values are those of the last
 * time; {@link #getAgeMillis} says how old they are.
 */
public interface DomainMXBean {
  /** What the domain was opened as. */
  String getName();

  /** Number of the process in its job. */
  int getRank();

  /** {@code AUTO} or {@code MANUAL}. */
  String getProgressMode();

  /** Whether threads of the application wait, and so drive. */
  boolean isApplicationWaiting();

  /** Receives that no message has come for. */
  long getPostedReceives();

  /** Messages that no receive has been posted for. */
  long getUnexpectedMessages();

  /** Sends that wait for their flow, for credit or for their turn. */
  long getWaitingSends();

  /**
   * All values by name: lengths of queues, then the counters of {@link
   * io.tagfabric.flow.window.FlowCounters.Snapshot} of all flows there are and were, added up.
   */
  Map<String, Long> getValues();

  /** The same of each open flow with the credit that is left, by the address of its peer. */
  Map<String, Map<String, Long>> getFlows();

  /**
   * Which provider carries each open flow, and why none that is preferred to it, by the address of
   * its peer.
   */
  Map<String, String> getProviders();

  /** Milliseconds since the values were read. */
  long getAgeMillis();
}
