/**
 * For tests of programs that use Tagfabric: endpoints, probes and faults by name. {@link
 * io.tagfabric.testkit.FabricTest} gives them to a JUnit test, {@link
 * io.tagfabric.testkit.TestFabric} to any other.
 *
 * <p>May import every package of {@code simulation} and of the modules below it, JUnit's API and
 * Akka's testkit. Source: Akka's testkit for actors (probes, manual time); turmoil (the verbs of
 * the network).
 */
package io.tagfabric.testkit;
