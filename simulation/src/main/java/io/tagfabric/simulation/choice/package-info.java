/**
 * What a simulation decides by chance: {@link io.tagfabric.simulation.choice.Choices} draws numbers
 * from a seed, or reads them from a record of another run. Imports nothing of Tagfabric.
 *
 * @source Hypothesis (recorded choices), Burckhardt et al. 2010 (probabilistic concurrency testing)
 */
@InternalApi
package io.tagfabric.simulation.choice;

import io.tagfabric.annotation.InternalApi;
