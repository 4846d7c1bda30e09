package io.tagfabric.bench.compare;

import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.Sample;
import io.tagfabric.bench.measure.Workload;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Open MPI's C library: two processes of a small program of ours, compiled when it is first needed.
 */
final class OpenMpi implements Contender {
  private static final int START_MS = 700;
  private static final String SOURCE = "openmpi_peer.c";
  private static final String SHARED_MEMORY = "shm";
  private static final String WINDOWS =
      "windows of two processes on one host are in shared memory, whatever the transport";
  private static final String INSTALL =
      "install it with: apt-get install openmpi-bin libopenmpi-dev gcc";

  private static final Duration VERSION_TIME = Duration.ofSeconds(20);
  private static final Pattern VERSION = Pattern.compile("Open MPI\\) [1-4]\\.");

  private final ProgramFinder finder;
  private final String transport;
  private PeerPrograms programs;
  private Path program;
  private String component;

  /**
   * @param transport {@code shm} or {@code tcp}
   */
  OpenMpi(ProgramFinder finder, String transport) {
    this.finder = finder;
    this.transport = transport;
  }

  @Override
  public String name() {
    return "openmpi-" + transport;
  }

  @Override
  public String description() {
    return "Open MPI in C over " + transport;
  }

  @Override
  public Optional<String> missingBecause() {
    for (String needed : List.of("mpirun", "mpicc")) {
      if (finder.find(needed).isEmpty()) {
        return Optional.of("Open MPI is missing (no " + needed + " in PATH), " + INSTALL);
      }
    }
    return Optional.empty();
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
    return transport.equals(SHARED_MEMORY) || !cell.metric().isAccess();
  }

  private List<Sample> samples(Workload workload) throws ContenderException {
    if (program == null) {
      compile();
    }
    List<String> command = new ArrayList<>();
    command.add(finder.find("mpirun").orElseThrow().toString());
    command.addAll(List.of("--allow-run-as-root", "--oversubscribe", "-np", "2"));
    // a virtual machine may count both threads of a core as one slot; nobody shall yield for that
    command.addAll(List.of("--mca", "mpi_yield_when_idle", "0", "--mca", "pml", "ob1"));
    command.addAll(List.of("--mca", "btl", "self," + component));
    if (transport.equals("tcp")) {
      command.addAll(List.of("--mca", "btl_tcp_if_include", "lo"));
    }
    command.add(program.toString());
    command.addAll(workload.toWords());
    return ContenderOutput.samples(
        programs.run(command, Map.of(), ContenderOutput.patience(this, workload)));
  }

  private void compile() throws ContenderException {
    programs = new PeerPrograms();
    Path source = programs.source(SOURCE, PeerPrograms.OPENMPI_HEADER);
    Path built = programs.directory().resolve("openmpi_peer");
    String compiler = finder.find("mpicc").orElseThrow().toString();
    programs.build(
        List.of(compiler, "-O3", "-march=native", "-o", built.toString(), source.toString()));
    program = built;
    component = transport.equals("tcp") ? "tcp" : sharedMemory();
  }

  /** The component for shared memory: vader up to version 4, sm after it. */
  private String sharedMemory() throws ContenderException {
    String mpirun = finder.find("mpirun").orElseThrow().toString();
    byte[] version = programs.run(List.of(mpirun, "--version"), Map.of(), VERSION_TIME);
    return isBefore5(new String(version, StandardCharsets.UTF_8)) ? "vader" : "sm";
  }

  static boolean isBefore5(String version) {
    return VERSION.matcher(version).find();
  }
}
