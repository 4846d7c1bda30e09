/**
 * What declarations say about themselves: {@link io.tagfabric.annotation.InternalApi}.
 *
 * <p>Imports nothing of Tagfabric, and every package may import it.
 */
package io.tagfabric.annotation;
