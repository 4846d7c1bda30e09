/** Streams over endpoints of one JVM. */
package io.tagfabric.stream;
