package io.tagfabric.trials.exit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Looks for what jobs have left behind that had a launch directory of their own. That is how their
 * processes are known: the directory stands in their environment or on their command line.
 */
public final class Leftovers {
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final Path PROCESSES = Path.of("/proc");

  private final Path directory;
  private final Duration patience;

  /**
   * @param directory of the jobs, absolute
   * @param patience how long something may still be there after the end of its job
   */
  public Leftovers(Path directory, Duration patience) {
    this.directory = directory;
    this.patience = patience;
  }

  /** Processes of the jobs, whichever parent they have now. */
  public List<String> processes() {
    return whatStays(this::livingProcesses);
  }

  /** Files and directories of the jobs. */
  public List<String> files() {
    return whatStays(this::filesNow);
  }

  /** Those of these ports on which somebody listens. */
  public List<String> ports(List<Integer> ports) {
    return whatStays(
        () -> ports.stream().filter(port -> !isFree(port)).map(port -> "port " + port).toList());
  }

  private List<String> whatStays(Supplier<List<String>> look) {
    long deadlineNs = System.nanoTime() + patience.toNanos();
    List<String> left = look.get();
    while (!left.isEmpty() && System.nanoTime() - deadlineNs < 0) {
      LockSupport.parkNanos(LOOK_NS);
      left = look.get();
    }
    return left;
  }

  private List<String> livingProcesses() {
    Map<Long, ProcessHandle> found =
        ProcessHandle.current()
            .descendants()
            .collect(Collectors.toMap(ProcessHandle::pid, process -> process));
    ProcessHandle.allProcesses()
        .filter(process -> process.pid() != ProcessHandle.current().pid())
        .filter(process -> names(process.pid(), "environ") || names(process.pid(), "cmdline"))
        .forEach(process -> found.put(process.pid(), process));
    return found.values().stream()
        .filter(ProcessHandle::isAlive)
        .map(
            process ->
                "pid " + process.pid() + process.info().command().map(c -> " " + c).orElse(""))
        .sorted()
        .toList();
  }

  /** Whether a process has the directory in one of its lists, where the system shows them. */
  private boolean names(long pid, String list) {
    try {
      byte[] bytes = Files.readAllBytes(PROCESSES.resolve(Long.toString(pid)).resolve(list));
      String words = new String(bytes, StandardCharsets.UTF_8);
      return Stream.of(words.split("\0", -1))
          .map(word -> word.substring(word.indexOf('=') + 1))
          .anyMatch(word -> word.equals(directory.toString()) || isBelow(word));
    } catch (IOException endedOrOfSomebodyElse) {
      return false;
    }
  }

  private boolean isBelow(String word) {
    return word.startsWith(directory + "/");
  }

  private List<String> filesNow() {
    List<String> files = new ArrayList<>();
    collect(directory, files);
    return files;
  }

  private static void collect(Path at, List<String> files) {
    if (!Files.isDirectory(at)) {
      return;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(at)) {
      for (Path entry : entries) {
        files.add(entry.toString());
        collect(entry, files);
      }
    } catch (IOException | UncheckedIOException goesJustNow) {
      // what is gone is not left
    }
  }

  private static boolean isFree(int port) {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket tcp = new ServerSocket(port, 1, loopback);
        DatagramSocket udp = new DatagramSocket(new InetSocketAddress(loopback, port))) {
      return tcp.isBound() && udp.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
