package io.tagfabric.bench.compare;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Open MPI. */
final class OpenMpi extends MpiLibrary {
  private static final String STARTER = "mpirun";
  private static final String COMPILER = "mpicc";

  /** Of mpirun up to version 4, which says OpenRTE where it is called mpirun.openmpi. */
  private static final Pattern BEFORE_5 = Pattern.compile("Open(?: MPI|RTE)\\) [1-4]\\.");

  private static final Pattern OWN = Pattern.compile("Open MPI|OpenRTE");

  OpenMpi(ProgramFinder finder) {
    super(finder, "Open MPI", "openmpi-bin libopenmpi-dev gcc");
  }

  @Override
  public String name() {
    return "openmpi";
  }

  @Override
  String description() {
    return "Open MPI in C";
  }

  @Override
  List<String> plainNames() {
    return List.of(STARTER, COMPILER);
  }

  @Override
  Optional<Path> compiler() {
    return program(
        List.of("mpicc.openmpi"), COMPILER, "--showme:version", said -> OWN.matcher(said).find());
  }

  @Override
  Optional<Path> starter() {
    return program(
        List.of("mpirun.openmpi"), STARTER, "--version", said -> OWN.matcher(said).find());
  }

  @Override
  public List<String> launcher(int ranks, String transport, boolean yields) {
    Path mpirun = starter().orElseThrow();
    List<String> command = new ArrayList<>();
    command.add(mpirun.toString());
    command.addAll(List.of("--allow-run-as-root", "--oversubscribe", "-np", "" + ranks));
    // a virtual machine may count both threads of a core as one slot; nobody shall yield for that
    command.addAll(List.of("--mca", "mpi_yield_when_idle", yields ? "1" : "0"));
    command.addAll(List.of("--mca", "pml", "ob1"));
    boolean tcp = transport.equals(TCP);
    command.addAll(List.of("--mca", "btl", "self," + (tcp ? "tcp" : sharedMemory(mpirun))));
    if (tcp) {
      command.addAll(List.of("--mca", "btl_tcp_if_include", "lo"));
    }
    return command;
  }

  /** The component for shared memory: vader up to version 4, sm after it. */
  private String sharedMemory(Path mpirun) {
    return isBefore5(answer(mpirun, "--version")) ? "vader" : "sm";
  }

  static boolean isBefore5(String version) {
    return BEFORE_5.matcher(version).find();
  }
}
