package io.tagfabric.name;

import io.tagfabric.annotation.InternalApi;
import java.time.Duration;

/**
 * What a name service is started with.
 *
 * @param claimTimeout after which a node that does not vote has no say
 * @param connectTimeout how long a search without a time of its own waits for the first answer of
 *     the place it asks
 * @param partitionKey of its node; those of another partition are told nothing
 */
@InternalApi
public record NameSettings(Duration claimTimeout, Duration connectTimeout, int partitionKey) {}
