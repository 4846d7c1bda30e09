package io.tagfabric.bench.collective;

import io.tagfabric.bench.compare.ContenderException;
import io.tagfabric.bench.compare.MpiLibrary;
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

  private static final String SOURCE = "mpi_collective.c";

  private final MpiLibrary library;
  private PeerPrograms programs;
  private Path program;

  OpenMpiCollectives(ProgramFinder finder) {
    library = MpiLibrary.openMpi(finder);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Optional<String> missingBecause() {
    return library.missingBecause();
  }

  @Override
  public boolean has(Collective collective) {
    return true;
  }

  @Override
  public List<CallTimes> run(Collective collective, int ranks, List<Integer> bytes)
      throws ContenderException {
    if (program == null) {
      programs = new PeerPrograms();
      program = library.build(programs, SOURCE);
    }
    List<String> command = new ArrayList<>(library.launcher(ranks, MpiLibrary.SHARED_MEMORY, true));
    command.add(program.toString());
    command.addAll(CollectivePeer.words(collective, bytes));
    return CollectivePeer.times(programs.run(command, Map.of(), CollectivePeer.patience(bytes)));
  }
}
