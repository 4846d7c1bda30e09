/**
 * Faults on purpose: a decorator for any provider that drops, doubles, delays and reorders packets
 * before they reach it. {@link io.tagfabric.provider.faults.FaultyProvider} is the entry. Without
 * faults in the settings nothing is decorated.
 */
@InternalApi
package io.tagfabric.provider.faults;

import io.tagfabric.annotation.InternalApi;
