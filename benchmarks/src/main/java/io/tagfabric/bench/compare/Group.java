package io.tagfabric.bench.compare;

import java.util.List;

/**
 * Contenders whose runs take turns: in every round all of ours, then all peers.
 *
 * @param ours series of ours
 * @param peers each compared with each of ours
 */
record Group(List<Contender> ours, List<Contender> peers) {
  Group {
    ours = List.copyOf(ours);
    peers = List.copyOf(peers);
  }
}
