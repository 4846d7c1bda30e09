/**
 * Programs of ranks that share a JVM: each rank has a {@link
 * io.tagfabric.simulation.isolate.ProgramLoader} of its own, so its statics are its own, and what
 * the program asks of the JVM, such as the time or the end of the process, goes to that rank's
 * {@link io.tagfabric.simulation.isolate.ProgramEnvironment}.
 *
 * <p>May import {@code cluster.settings}, and ASM; no Akka.
 */
@InternalApi
package io.tagfabric.simulation.isolate;

import io.tagfabric.annotation.InternalApi;
