package io.tagfabric.bench.peer;

import io.tagfabric.bench.measure.Pause;
import io.tagfabric.bench.measure.WorkloadPlayer;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.progress.CoreBinding;
import io.tagfabric.progress.CoreSet;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Two processes with a TCP connection that wait in a selector: what waking costs in plain Java. */
public final class SelectorPeer {
  private static final String NAME = "java-selector";
  private static final int TRIES = 300;
  private static final long TRY_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private SelectorPeer() {}

  /**
   * @param args a workload
   */
  public static void main(String[] args) {
    PeerProcess.run(NAME, args, SelectorPeer::play);
  }

  private static void play(JobSpec spec, List<String> words, Consumer<String> lines)
      throws IOException {
    // as our own ranks
    CoreBinding.bindCurrentThread(CoreSet.allowed().nth(spec.rank()));
    InetSocketAddress first = new InetSocketAddress(spec.seedHost(), spec.seedPort());
    try (SelectorEnd end = new SelectorEnd(spec.isSeed() ? accept(first) : connect(first))) {
      WorkloadPlayer.play(spec.rank(), end, NAME, words, lines);
    }
  }

  private static SocketChannel accept(InetSocketAddress here) throws IOException {
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(here);
      return listener.accept();
    }
  }

  /** The other process may need longer to start. */
  private static SocketChannel connect(InetSocketAddress there) throws IOException {
    IOException refused = new IOException("no try");
    for (int i = 0; i < TRIES; i++) {
      try {
        return SocketChannel.open(there);
      } catch (IOException notYet) {
        refused = notYet;
        Pause.of(TRY_NS);
      }
    }
    throw refused;
  }
}
