/**
 * {@code tagfabric fuzz}: attacks a live endpoint with mutated packets and watches that it keeps
 * its promises. {@link io.tagfabric.trials.fuzz.FuzzCommand} is the entry.
 *
 * <p>Four ActorSystems of this JVM: the victim, attackers that have its job key, a friend that
 * talks correctly to it all the time, and a stranger of another job. One thread drives them all.
 * The attackers' packets are mutated between their flow and the real channel, by a {@link
 * io.tagfabric.trials.fuzz.FuzzProvider} around the provider under test.
 */
package io.tagfabric.trials.fuzz;
