/**
 * Chooses an algorithm for a call: {@link io.tagfabric.collective.choose.AlgorithmChooser} by a
 * {@link io.tagfabric.collective.choose.DecisionTable}, unless one is forced.
 */
@InternalApi
package io.tagfabric.collective.choose;

import io.tagfabric.annotation.InternalApi;
