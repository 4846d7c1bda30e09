/** Tests of {@code io.tagfabric.collective.algorithm}. */
package io.tagfabric.collective.algorithm;
