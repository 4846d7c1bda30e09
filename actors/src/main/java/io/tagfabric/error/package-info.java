/**
 * The one table of error codes, {@link io.tagfabric.error.FabricError}, and the exception that
 * carries one.
 *
 * <p>Imports nothing of Tagfabric. Source: libfabric fi_errno(3).
 */
package io.tagfabric.error;
