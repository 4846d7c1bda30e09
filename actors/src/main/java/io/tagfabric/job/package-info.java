/**
 * Jobs of ranks: how the ActorSystems of one job find each other, meet, and part.
 *
 * <p>Entry: {@link io.tagfabric.job.Job}. May import {@code actor}, {@code cluster.connect}, {@code
 * cluster.profile}, {@code control} and {@code exit} and what these use. A rank's {@link
 * io.tagfabric.job.JobMember} talks to rank 0's {@link io.tagfabric.job.JobCoordinator}; {@code
 * Roster} and {@code BarrierRoll} are their plain cores.
 *
 * <pre>{@code
 * rank r                          rank 0
 *   Enroll(key, rank, size, ...) ---> known? same job? same settings?
 *   <--- Welcome, or Refused and why
 *   joins the cluster, opens domain and endpoint
 *   Ready(address) ------------------> all there? all up?
 *   <--- Waiting(missing) or Table(addresses of all ranks)
 * }</pre>
 */
package io.tagfabric.job;
