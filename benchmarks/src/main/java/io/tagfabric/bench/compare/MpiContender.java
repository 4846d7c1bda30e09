package io.tagfabric.bench.compare;

import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.Metric;
import io.tagfabric.bench.measure.Sample;
import io.tagfabric.bench.measure.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A C library of MPI: two processes of a small program of ours, compiled when first needed. */
final class MpiContender implements Contender {
  private static final int START_MS = 700;
  private static final String SOURCE = "mpi_peer.c";
  private static final String WINDOWS =
      "windows of two processes on one host are in shared memory, whatever the transport";

  private final MpiLibrary library;
  private final String transport;
  private final Optional<Namespaces> namespaces;
  private final PeerPrograms.Lazy programs = new PeerPrograms.Lazy();
  private Path program;

  /** On this host as it is. */
  MpiContender(MpiLibrary library, String transport) {
    this(library, transport, Optional.empty());
  }

  /**
   * @param transport {@link MpiLibrary#SHARED_MEMORY} or {@link MpiLibrary#TCP}
   * @param namespaces where its processes run; empty for this host as it is
   */
  MpiContender(MpiLibrary library, String transport, Optional<Namespaces> namespaces) {
    this.library = library;
    this.transport = transport;
    this.namespaces = namespaces;
  }

  @Override
  public String name() {
    return library.name() + "-" + transport;
  }

  @Override
  public String description() {
    return library.description() + " over " + transport;
  }

  @Override
  public Optional<String> missingBecause() {
    return library.missingBecause();
  }

  /** Its processes never sleep. */
  @Override
  public boolean measures(Cell cell) {
    return cell.metric() != Metric.WAKE;
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
    List<Cell> measured = workload.cells().stream().filter(this::travels).toList();
    List<Sample> all = new ArrayList<>();
    for (Cell cell : workload.cells()) {
      if (!travels(cell)) {
        all.add(Sample.leftOut(cell, WINDOWS));
      }
    }
    if (!measured.isEmpty()) {
      all.addAll(samples(workload.withCells(measured)));
    }
    return all;
  }

  /** Whether what is measured goes by the transport. */
  private boolean travels(Cell cell) {
    return transport.equals(MpiLibrary.SHARED_MEMORY) || !cell.metric().isAccess();
  }

  private List<Sample> samples(Workload workload) throws ContenderException {
    if (program == null) {
      program = library.build(programs.get(), SOURCE);
    }
    List<String> call = new ArrayList<>(List.of(program.toString()));
    call.addAll(workload.toWords());
    List<String> command = new ArrayList<>();
    if (namespaces.isPresent()) {
      command.addAll(library.between(namespaces.get(), programs.get(), call));
    } else {
      command.addAll(library.launcher(2, transport, false));
      command.addAll(call);
    }
    return ContenderOutput.samples(
        programs.get().run(command, Map.of(), ContenderOutput.patience(this, workload)));
  }
}
