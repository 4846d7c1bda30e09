/**
 * The command {@code tagfabric bench}: {@link io.tagfabric.bench.BenchCommand}. What is measured
 * and how is in {@link io.tagfabric.bench.measure}, Tagfabric's side of it in {@link
 * io.tagfabric.bench.ours}.
 */
package io.tagfabric.bench;
