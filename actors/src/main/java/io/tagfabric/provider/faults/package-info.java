/**
 * Faults on purpose: a decorator for any provider that drops, doubles, delays and reorders packets
 * before they reach it. {@link io.tagfabric.provider.faults.FaultyProvider} is the entry. Without
 * faults in the settings nothing is decorated. {@link io.tagfabric.provider.faults.LinkedProvider}
 * is another decorator, for tests that cut, hold and crash ways by name.
 */
@InternalApi
package io.tagfabric.provider.faults;

import io.tagfabric.annotation.InternalApi;
