/**
 * What collectives combine: {@link io.tagfabric.collective.reduce.Elements} of an {@link
 * io.tagfabric.collective.reduce.ElementKind}, by a {@link
 * io.tagfabric.collective.reduce.ReduceOp}; the usual ones are in {@link
 * io.tagfabric.collective.reduce.Reduction}. Plain Java over Agrona buffers, everything
 * little-endian. Source: MPI-4.1 §6.9.
 */
package io.tagfabric.collective.reduce;
