/**
 * The provider inside one JVM: packets are handed from loop to loop as they are, without
 * serialization; a short message goes through a ring. {@link
 * io.tagfabric.provider.local.LocalProvider} is the entry.
 */
@InternalApi
package io.tagfabric.provider.local;

import io.tagfabric.annotation.InternalApi;
