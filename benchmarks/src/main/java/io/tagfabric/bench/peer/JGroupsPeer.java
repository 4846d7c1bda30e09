package io.tagfabric.bench.peer;

import io.tagfabric.bench.measure.TransferKind;
import io.tagfabric.bench.measure.Workload;
import io.tagfabric.bench.measure.WorkloadPlayer;
import io.tagfabric.cluster.job.JobSpec;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jgroups.Address;
import org.jgroups.JChannel;

/**
 * Raw JGroups over TCP on the loopback interface: the protocols that reliable unicast and
 * membership need and no others, no delay in TCP, and callbacks on the thread that reads the
 * socket.
 */
public final class JGroupsPeer {
  private static final String NAME = "jgroups-tcp";
  private static final String CLUSTER = "tagfabric-bench";
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final String STACK =
      """
      <config xmlns="urn:org:jgroups">
        <TCP bind_addr="127.0.0.1" bind_port="PORT" port_range="0" tcp_nodelay="true"
             recv_buf_size="2m" send_buf_size="2m" thread_pool.enabled="false"
             bundler_type="transfer-queue" diag.enabled="false"/>
        <TCPPING initial_hosts="127.0.0.1[SEED]" port_range="0" async_discovery="false"/>
        <MERGE3 min_interval="500" max_interval="1500"/>
        <pbcast.NAKACK2 use_mcast_xmit="false"/>
        <UNICAST3/>
        <pbcast.STABLE desired_avg_gossip="50s" max_bytes="4m"/>
        <pbcast.GMS print_local_addr="false" join_timeout="500"/>
      </config>
      """;

  private JGroupsPeer() {}

  /**
   * @param args a workload
   */
  public static void main(String[] args) {
    PeerProcess.run(NAME, args, JGroupsPeer::play);
  }

  private static void play(JobSpec spec, List<String> words, Consumer<String> lines)
      throws Exception {
    int port = spec.isSeed() ? spec.seedPort() : spec.port();
    String stack =
        STACK
            .replace("PORT", Integer.toString(port))
            .replace("SEED", Integer.toString(spec.seedPort()));
    InputStream config = new ByteArrayInputStream(stack.getBytes(StandardCharsets.UTF_8));
    JChannel channel = new JChannel(config);
    JGroupsPlayer player = new JGroupsPlayer(channel);
    channel.setReceiver(player);
    player.meet(awaitOther(channel));
    if (spec.rank() != 0) {
      player.awaitEnd();
      // the answer to the last order leaves before the process ends
      channel.close();
      return;
    }
    new WorkloadPlayer(Workload.parse(words), player::subject, Optional::empty)
        .without(TransferKind.BIBW, WorkloadPlayer.ONE_WAY_ONLY)
        .play(sample -> lines.accept(sample.toLine()));
    player.end();
    channel.close();
  }

  /**
   * A process that finds no other forms a group of its own; groups that hear of each other merge.
   */
  private static Address awaitOther(JChannel channel) throws Exception {
    long beginNs = System.nanoTime();
    channel.connect(CLUSTER);
    while (channel.view().size() < 2) {
      LockSupport.parkNanos(LOOK_NS);
      if (System.nanoTime() - beginNs > PATIENCE_NS) {
        throw new IllegalStateException("the other process has not joined within 30 s");
      }
    }
    return channel.view().getMembers().stream()
        .filter(member -> !member.equals(channel.address()))
        .findFirst()
        .orElseThrow();
  }
}
