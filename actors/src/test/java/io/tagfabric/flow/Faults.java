package io.tagfabric.flow;

import io.tagfabric.annotation.InternalApi;

/**
 * What a {@link LossyWire} does to packets.
 *
 * @param drop share of the packets that never arrive
 * @param duplicate share that arrives twice
 * @param maxDelayNs each packet takes up to this long, so that later ones overtake it; 0 keeps
 *     order
 * @param refuse share of the offers that find no room
 */
@InternalApi
public record Faults(double drop, double duplicate, long maxDelayNs, double refuse) {
  static final Faults NONE = new Faults(0, 0, 0, 0);
}
