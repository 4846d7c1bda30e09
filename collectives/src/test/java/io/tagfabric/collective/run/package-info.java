/** Tests of {@code io.tagfabric.collective.run}. */
package io.tagfabric.collective.run;
