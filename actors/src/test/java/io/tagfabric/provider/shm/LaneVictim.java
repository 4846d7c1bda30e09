package io.tagfabric.provider.shm;

import io.tagfabric.progress.TimeSource;
import io.tagfabric.provider.Channel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A JVM that writes packets to a domain as fast as it can until it is killed. */
final class LaneVictim {
  static final int PACKET_BYTES = 300;

  private LaneVictim() {}

  /**
   * @param args the directory of the host, and the address of the domain
   */
  public static void main(String[] args) {
    Thread parent = new Thread(LaneVictim::endWithParent, "parent");
    parent.setDaemon(true);
    parent.start();
    ShmSide side = new ShmSide(TimeSource.SYSTEM, Path.of(args[0]), Map.of());
    System.out.println("begins");
    Channel channel = side.connect(ShmSide.addressOf(args[1]));
    for (int seed = 0; channel.closedBecause() == null; seed++) {
      int number = seed;
      side.onLoop(() -> channel.offer(ShmSide.packet(PACKET_BYTES, number)));
    }
    System.exit(1);
  }

  /** The end of the input is the end of the parent. */
  private static void endWithParent() {
    try {
      System.exit(System.in.read() < 0 ? 0 : 1);
    } catch (IOException gone) {
      System.exit(1);
    }
  }
}
