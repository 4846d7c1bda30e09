/**
 * What happens on a progress loop, as small records of fixed size in a file of the domain's, in the
 * order in which it happens.
 *
 * <p>{@link io.tagfabric.trace.Recorder} writes them, {@link io.tagfabric.trace.Recording} reads
 * them when the process has ended, however it did. Flows, receives and loops call the recorder; it
 * knows none of them and imports nothing of Tagfabric but annotations.
 */
@InternalApi
package io.tagfabric.trace;

import io.tagfabric.annotation.InternalApi;
