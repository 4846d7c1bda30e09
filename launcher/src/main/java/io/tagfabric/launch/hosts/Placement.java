package io.tagfabric.launch.hosts;

import io.tagfabric.cluster.settings.SettingsException;
import java.util.Arrays;
import java.util.List;

/** Which host a rank goes to. */
public enum Placement {
  /** Neighbouring ranks together: one host is filled before the next. */
  BLOCK,
  /** One rank for each host in turn. */
  CYCLIC;

  /**
   * The index of the host of each rank. Without slots, ranks are spread evenly, and the first hosts
   * take what is left over.
   *
   * @throws SettingsException if the hosts' slots are too few
   */
  public int[] place(int ranks, List<Host> hosts) {
    int[] room = room(ranks, hosts);
    int[] hostOf = new int[ranks];
    int host = -1;
    for (int rank = 0; rank < ranks; rank++) {
      if (this == CYCLIC || host < 0) {
        host = (host + 1) % room.length;
      }
      while (room[host] == 0) {
        host = (host + 1) % room.length;
      }
      room[host]--;
      hostOf[rank] = host;
    }
    return hostOf;
  }

  private static int[] room(int ranks, List<Host> hosts) {
    int count = hosts.size();
    int[] room = new int[count];
    if (hosts.get(0).slots().isEmpty()) {
      for (int i = 0; i < count; i++) {
        room[i] = ranks / count + (i < ranks % count ? 1 : 0);
      }
      return room;
    }
    for (int i = 0; i < count; i++) {
      room[i] = hosts.get(i).slots().orElseThrow();
    }
    long all = Arrays.stream(room).asLongStream().sum();
    if (ranks > all) {
      throw new SettingsException(
          "--hosts",
          "ranks=" + ranks + " > slots=" + all + " of all hosts, start fewer or name more slots");
    }
    return room;
  }
}
