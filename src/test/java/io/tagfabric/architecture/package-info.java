/**
 * Tests that read the compiled modules and hold the structure of the project: the order of the
 * modules, no package cycles, cores without Akka, a handler for every command, and sizes that only
 * fall.
 *
 * <p>The lists a change may have to extend are in {@link io.tagfabric.architecture.House}. Each
 * checker is itself tested on a bad example below {@code example}.
 */
package io.tagfabric.architecture;
