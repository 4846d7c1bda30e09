/**
 * Configurations of a rank's ActorSystem: how the cluster forms and how Artery travels.
 *
 * <p>Entry: {@link io.tagfabric.cluster.profile.Profiles#akkaConfig}. The values and their reasons
 * stand in the resources {@code tagfabric/*.conf}. May import {@code cluster.job} and {@code
 * cluster.settings}; only writes configuration, never starts an actor.
 */
@InternalApi
package io.tagfabric.cluster.profile;

import io.tagfabric.annotation.InternalApi;
