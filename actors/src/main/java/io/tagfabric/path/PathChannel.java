package io.tagfabric.path;

import io.tagfabric.error.FabricError;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.PathInfo;
import io.tagfabric.wire.Packet;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.IntArrayQueue;
import org.agrona.collections.LongArrayQueue;

/**
 * A channel made of parallel channels to the same peer. Each keeps its order; packets of different
 * ones overtake each other, and the flow's sequence puts them right. Single threaded: the domain's
 * loop.
 */
public final class PathChannel implements Channel {
  private static final int NONE = -1;

  private final Channel[] paths;
  private final PathSelector selector;
  private final long[] packets;
  private final long[] bytes;
  private final long[] windows;
  private final long[] refusals;

  /** Counted packets that are not acknowledged: sequence, path and length, oldest first. */
  private final LongArrayQueue sequences = new LongArrayQueue(Long.MIN_VALUE);

  private final IntArrayQueue sequencePaths = new IntArrayQueue(NONE);
  private final IntArrayQueue sequenceBytes = new IntArrayQueue(NONE);
  private long highest;

  /**
   * A channel of channels.
   *
   * @param paths as many as the settings say; all lead to the same peer
   * @param source number of this sender, such as its rank
   * @param destination number of the peer, the same for all senders
   */
  public PathChannel(List<Channel> paths, PathSettings settings, int source, int destination) {
    if (paths.size() != settings.count()) {
      throw new IllegalArgumentException("paths=" + paths.size() + " != count=" + settings.count());
    }
    this.paths = paths.toArray(Channel[]::new);
    selector = new PathSelector(settings, source, destination);
    packets = new long[settings.count()];
    bytes = new long[settings.count()];
    windows = new long[settings.count()];
    refusals = new long[settings.count()];
  }

  @Override
  public boolean offer(Packet packet) {
    if (packet.sequence() == 0) {
      return offer(packet, selector.control());
    }
    return packet.isBulk() ? offerBulk(packet) : offer(packet, selector.small());
  }

  private boolean offerBulk(Packet packet) {
    int first = selector.bulk();
    for (int i = 0; i < selector.bulkChoices(); i++) {
      int path = selector.bulkInsteadOf(first, i);
      if (offer(packet, path)) {
        if (selector.tookBulk(path, packet.length())) {
          windows[path]++;
        }
        return true;
      }
    }
    return false;
  }

  private boolean offer(Packet packet, int path) {
    if (!paths[path].offer(packet)) {
      refusals[path]++;
      return false;
    }
    packets[path]++;
    bytes[path] += packet.length();
    // A packet sent again counts where it went first.
    if (packet.sequence() > highest) {
      highest = packet.sequence();
      sequences.addLong(highest);
      sequencePaths.addInt(path);
      sequenceBytes.addInt(packet.length());
      selector.sent(path, packet.length());
    }
    return true;
  }

  @Override
  public void acknowledged(long sequence) {
    while (!sequences.isEmpty() && sequences.peekLong() <= sequence) {
      sequences.pollLong();
      selector.acknowledged(sequencePaths.pollInt(), sequenceBytes.pollInt());
    }
  }

  /** It is set up by the path of control. */
  @Override
  public boolean isOpen() {
    return paths[selector.control()].isOpen();
  }

  @Override
  public boolean isDrained() {
    boolean drained = true;
    for (Channel path : paths) {
      drained &= path.isDrained();
    }
    return drained;
  }

  @Override
  public void inquire() {
    paths[selector.control()].inquire();
  }

  @Override
  public boolean reorders() {
    return true;
  }

  @Override
  public List<PathInfo> paths() {
    List<PathInfo> infos = new ArrayList<>(paths.length);
    for (int i = 0; i < paths.length; i++) {
      infos.add(
          new PathInfo(i, packets[i], bytes[i], windows[i], refusals[i], selector.outstanding(i)));
    }
    return List.copyOf(infos);
  }

  @Override
  public FabricError closedWith() {
    for (Channel path : paths) {
      if (path.closedBecause() != null) {
        return path.closedWith();
      }
    }
    return FabricError.SHUTDOWN;
  }

  /** One closed path is enough: what was put on it is lost. */
  @Override
  public String closedBecause() {
    for (Channel path : paths) {
      String reason = path.closedBecause();
      if (reason != null) {
        return reason;
      }
    }
    return null;
  }
}
