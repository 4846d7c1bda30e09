/**
 * For tests of programs that use Tagfabric: endpoints, probes and faults by name.
 *
 * <p>May import every package of {@code simulation} and of the modules below it, and JUnit's API.
 */
package io.tagfabric.testkit;
