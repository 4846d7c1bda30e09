package io.tagfabric.bench.collective;

import io.tagfabric.bench.compare.ContenderException;
import io.tagfabric.bench.compare.PeerPrograms;
import io.tagfabric.bench.compare.ProgramFinder;
import io.tagfabric.collective.algorithm.Collective;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Open MPI's C library over shared memory, a program of ours compiled when it is first needed. Its
 * processes yield when idle, as they must where there are more of them than cores.
 */
final class OpenMpiCollectives implements CollectivePeer {
  static final String NAME = "openmpi";

  private static final String SOURCE = "openmpi_collective.c";

  private final ProgramFinder finder;
  private PeerPrograms programs;
  private Path program;

  OpenMpiCollectives(ProgramFinder finder) {
    this.finder = finder;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Optional<String> missingBecause() {
    for (String needed : List.of("mpirun", "mpicc")) {
      if (finder.find(needed).isEmpty()) {
        return Optional.of(
            "Open MPI is missing (no "
                + needed
                + " in PATH), install it with: apt-get install openmpi-bin libopenmpi-dev gcc");
      }
    }
    return Optional.empty();
  }

  @Override
  public boolean has(Collective collective) {
    return true;
  }

  @Override
  public List<CallTimes> run(Collective collective, int ranks, List<Integer> bytes)
      throws ContenderException {
    if (program == null) {
      compile();
    }
    List<String> command = new ArrayList<>();
    command.add(finder.find("mpirun").orElseThrow().toString());
    command.addAll(List.of("--allow-run-as-root", "--oversubscribe", "-np", "" + ranks));
    command.addAll(List.of("--mca", "mpi_yield_when_idle", "1", "--mca", "pml", "ob1"));
    command.addAll(List.of("--mca", "btl", "^tcp,openib,ofi,usnic"));
    command.add(program.toString());
    command.addAll(CollectivePeer.words(collective, bytes));
    return CollectivePeer.times(programs.run(command, Map.of(), CollectivePeer.patience(bytes)));
  }

  private void compile() throws ContenderException {
    programs = new PeerPrograms();
    Path source = programs.source(SOURCE, PeerPrograms.OPENMPI_HEADER);
    Path built = programs.directory().resolve("openmpi_collective");
    String compiler = finder.find("mpicc").orElseThrow().toString();
    programs.build(
        List.of(compiler, "-O3", "-march=native", "-o", built.toString(), source.toString()));
    program = built;
  }
}
