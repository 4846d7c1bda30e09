package io.tagfabric.bench.compare;

import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.Metric;
import io.tagfabric.bench.measure.Sample;
import io.tagfabric.bench.measure.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Two processes in C with a TCP connection, which sleep in epoll until a message comes. */
final class EpollContender implements Contender {
  private static final int START_MS = 300;
  private static final String SOURCE = "epoll_peer.c";

  private final CProgram source;
  private final Optional<Namespaces> namespaces;
  private final PeerPrograms.Lazy programs = new PeerPrograms.Lazy();
  private Path program;

  /**
   * @param namespaces where its processes run; empty for this host as it is
   */
  EpollContender(ProgramFinder finder, Optional<Namespaces> namespaces) {
    source = new CProgram(finder, SOURCE);
    this.namespaces = namespaces;
  }

  @Override
  public String name() {
    return "c-epoll";
  }

  @Override
  public String description() {
    return "C over TCP, asleep in epoll";
  }

  @Override
  public Optional<String> missingBecause() {
    return source.missingBecause();
  }

  @Override
  public boolean measures(Cell cell) {
    return cell.metric() == Metric.WAKE;
  }

  @Override
  public int startMs() {
    return START_MS;
  }

  @Override
  public boolean compilesAtRunTime() {
    return false;
  }

  @Override
  public List<Sample> run(Workload workload) throws ContenderException {
    if (program == null) {
      program = source.build(programs.get());
    }
    String address =
        namespaces
            .map(both -> both.address(0))
            .orElse(InetAddress.getLoopbackAddress().getHostAddress());
    String port = Integer.toString(freePort());
    List<String> near = new ArrayList<>(List.of(program.toString(), "0", address, port));
    near.addAll(workload.toWords());
    List<String> far = List.of(program.toString(), "1", address, port);
    return ContenderOutput.samples(
        programs
            .get()
            .runAll(
                List.of(in(0, near), in(1, far)),
                Map.of(),
                ContenderOutput.patience(this, workload)));
  }

  private List<String> in(int rank, List<String> command) {
    return namespaces.map(both -> both.in(rank, command)).orElse(command);
  }

  private static int freePort() {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return any.getLocalPort();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
