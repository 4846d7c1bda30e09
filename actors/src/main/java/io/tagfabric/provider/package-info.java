/**
 * How frames travel. A {@link io.tagfabric.provider.Provider} opens a {@link
 * io.tagfabric.provider.Wire} for each endpoint; a wire opens a {@link
 * io.tagfabric.provider.Channel} to each peer. Found with {@link java.util.ServiceLoader}.
 *
 * <p>Every provider wears the same file names in its own sub-package, imports nothing of another
 * provider and nothing above this package, and passes the same contract test.
 */
package io.tagfabric.provider;
