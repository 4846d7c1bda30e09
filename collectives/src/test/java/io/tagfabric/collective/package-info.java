/** Collectives between endpoints of one JVM. */
package io.tagfabric.collective;
