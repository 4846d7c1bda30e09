/** Tests of {@code io.tagfabric.collective.schedule}. */
package io.tagfabric.collective.schedule;
