/**
 * Tests of what the modules have packaged: the jars, their poms, and a program that is built
 * against nothing else. They run in the phase integration-test, where there are jars, so {@code mvn
 * test} leaves them out.
 *
 * <p>Entry: {@link io.tagfabric.artifacts.FirstProgramTest}.
 */
package io.tagfabric.artifacts;
