/** Tests of {@code io.tagfabric.collective.reduce}. */
package io.tagfabric.collective.reduce;
