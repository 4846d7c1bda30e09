package io.tagfabric.bench.peer;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.tagfabric.bench.measure.WorkloadPlayer;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.progress.CoreBinding;
import io.tagfabric.progress.CoreSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.IoUtil;

/**
 * Raw Aeron over shared memory (IPC, with the host's media driver) or UDP (each process invokes a
 * driver of its own, which takes no thread). Frames of 64 KiB, large socket buffers and windows:
 * what suits the loopback interface best.
 */
public final class AeronPeer {
  private static final int MTU = 65_504;
  private static final int TERM_BYTES = 16 << 20;
  private static final int SOCKET_BYTES = 2 << 20;
  private static final int WINDOW_BYTES = 2 << 20;

  private AeronPeer() {}

  /**
   * @param args {@code ipc}, or {@code udp} and the ports of both ranks; then a workload
   */
  public static void main(String[] args) {
    if (args[0].equals("udp")) {
      int[] ports = {Integer.parseInt(args[1]), Integer.parseInt(args[2])};
      PeerProcess.run(
          "aeron-udp",
          Arrays.copyOfRange(args, 3, args.length),
          (spec, words, lines) -> playUdp(spec, ports, words, lines));
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

  private static void playUdp(JobSpec spec, int[] ports, List<String> words, Consumer<String> lines)
      throws IOException {
    bind(spec);
    Path shared = Path.of("/dev/shm");
    String prefix = "tagfabric-bench-";
    Path directory =
        Files.isDirectory(shared)
            ? Files.createTempDirectory(shared, prefix)
            : Files.createTempDirectory(prefix);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> IoUtil.delete(directory.toFile(), true)));
    MediaDriver driver = MediaDriver.launch(context(directory));
    String mine = udp(ports[spec.rank()]);
    try (AeronEnd end =
        new AeronEnd(driver, directory.toString(), mine, udp(ports[1 - spec.rank()]))) {
      WorkloadPlayer.play(spec.rank(), end, "aeron-udp", words, lines);
    } finally {
      IoUtil.delete(directory.toFile(), true);
    }
  }

  private static MediaDriver.Context context(Path directory) {
    return new MediaDriver.Context()
        .aeronDirectoryName(directory.toString())
        .dirDeleteOnStart(true)
        .dirDeleteOnShutdown(true)
        .warnIfDirectoryExists(false)
        .threadingMode(ThreadingMode.INVOKER)
        .mtuLength(MTU)
        .publicationTermBufferLength(TERM_BYTES)
        .socketRcvbufLength(SOCKET_BYTES)
        .socketSndbufLength(SOCKET_BYTES)
        .initialWindowLength(WINDOW_BYTES)
        .performStorageChecks(false);
  }

  private static String udp(int port) {
    return "aeron:udp?endpoint=127.0.0.1:" + port + "|mtu=" + MTU;
  }
}
