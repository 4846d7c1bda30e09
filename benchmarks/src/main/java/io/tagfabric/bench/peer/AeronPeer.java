package io.tagfabric.bench.peer;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.tagfabric.bench.measure.WorkloadPlayer;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.progress.CoreBinding;
import io.tagfabric.progress.CoreSet;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.IoUtil;

/**
 * Raw Aeron over shared memory (IPC, with the host's media driver) or UDP (each process invokes a
 * driver of its own, which takes no thread). Frames of 64 KiB, or as long as the interface sends in
 * one piece, large socket buffers and windows.
 */
public final class AeronPeer {
  private static final int MTU = 65_504;
  private static final int TERM_BYTES = 16 << 20;
  private static final int SOCKET_BYTES = 2 << 20;
  private static final int WINDOW_BYTES = 2 << 20;

  private static final int IPV4_AND_UDP_HEADERS = 28;
  private static final int IPV6_AND_UDP_HEADERS = 48;
  private static final int ALIGNMENT = 32;

  private AeronPeer() {}

  /** Where a rank receives. */
  private record Place(InetAddress host, int port) {
    static Place of(String address, String port) {
      try {
        return new Place(InetAddress.getByName(address), Integer.parseInt(port));
      } catch (UnknownHostException unknown) {
        throw new IllegalArgumentException("'" + address + "' is no address", unknown);
      }
    }

    String channel(int mtu) {
      String name = host.getHostAddress();
      String text = host instanceof Inet6Address ? "[" + name + "]" : name;
      return "aeron:udp?endpoint=" + text + ":" + port + "|mtu=" + mtu;
    }
  }

  /**
   * @param args {@code ipc}, or {@code udp} and for each rank its address and port; then a workload
   */
  public static void main(String[] args) {
    if (args[0].equals("udp")) {
      Place[] places = {Place.of(args[1], args[2]), Place.of(args[3], args[4])};
      PeerProcess.run(
          "aeron-udp",
          Arrays.copyOfRange(args, 5, args.length),
          (spec, words, lines) -> playUdp(spec, places, words, lines));
    } else {
      PeerProcess.run("aeron-ipc", Arrays.copyOfRange(args, 1, args.length), AeronPeer::playIpc);
    }
  }

  /** As our own ranks that poll. */
  private static void bind(JobSpec spec) {
    CoreBinding.bindCurrentThread(CoreSet.allowed().nth(spec.rank()));
  }

  private static void playIpc(JobSpec spec, List<String> words, Consumer<String> lines) {
    bind(spec);
    String directory =
        spec.aeronDirectory()
            .orElseThrow(() -> new IllegalStateException("aeron-ipc needs a media driver"))
            .toString();
    // a stream each way, so that nobody reads his own messages
    try (AeronEnd end = new AeronEnd(null, directory, ipc(spec.rank()), ipc(1 - spec.rank()))) {
      WorkloadPlayer.play(spec.rank(), end, "aeron-ipc", words, lines);
    }
  }

  private static String ipc(int reader) {
    return "aeron:ipc?session-id=" + (1 + reader) + "|mtu=" + MTU + "|term-length=" + TERM_BYTES;
  }

  private static void playUdp(
      JobSpec spec, Place[] places, List<String> words, Consumer<String> lines) throws IOException {
    bind(spec);
    Path shared = Path.of("/dev/shm");
    String prefix = "tagfabric-bench-";
    Path directory =
        Files.isDirectory(shared)
            ? Files.createTempDirectory(shared, prefix)
            : Files.createTempDirectory(prefix);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> IoUtil.delete(directory.toFile(), true)));
    int mtu = mtu(places[spec.rank()].host());
    MediaDriver driver = MediaDriver.launch(context(directory, mtu));
    String mine = places[spec.rank()].channel(mtu);
    String theirs = places[1 - spec.rank()].channel(mtu);
    try (AeronEnd end = new AeronEnd(driver, directory.toString(), mine, theirs)) {
      WorkloadPlayer.play(spec.rank(), end, "aeron-udp", words, lines);
    } finally {
      IoUtil.delete(directory.toFile(), true);
    }
  }

  /** The longest datagram that the interface of an address sends in one piece. */
  private static int mtu(InetAddress host) throws IOException {
    NetworkInterface its = NetworkInterface.getByInetAddress(host);
    int headers = host instanceof Inet6Address ? IPV6_AND_UDP_HEADERS : IPV4_AND_UDP_HEADERS;
    return its == null ? MTU : Math.min(MTU, its.getMTU() - headers) & -ALIGNMENT;
  }

  private static MediaDriver.Context context(Path directory, int mtu) {
    return new MediaDriver.Context()
        .aeronDirectoryName(directory.toString())
        .dirDeleteOnStart(true)
        .dirDeleteOnShutdown(true)
        .warnIfDirectoryExists(false)
        .threadingMode(ThreadingMode.INVOKER)
        .mtuLength(mtu)
        .publicationTermBufferLength(TERM_BYTES)
        .socketRcvbufLength(SOCKET_BYTES)
        .socketSndbufLength(SOCKET_BYTES)
        .initialWindowLength(WINDOW_BYTES)
        .performStorageChecks(false);
  }
}
