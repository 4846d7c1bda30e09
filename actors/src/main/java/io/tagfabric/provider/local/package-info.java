/**
 * The provider inside one JVM: packets are handed from loop to loop as messages, without
 * serialization. {@link io.tagfabric.provider.local.LocalProvider} is the entry.
 */
package io.tagfabric.provider.local;
