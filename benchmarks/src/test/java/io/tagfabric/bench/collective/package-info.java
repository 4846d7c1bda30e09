/** Tests of {@code io.tagfabric.bench.collective}. */
package io.tagfabric.bench.collective;
