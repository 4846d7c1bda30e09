/** Tests of {@code io.tagfabric.collective.choose}. */
package io.tagfabric.collective.choose;
