package io.tagfabric.bench.compare;

import io.tagfabric.launch.hosts.ShellWords;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Open MPI. */
final class OpenMpi extends MpiLibrary {
  private static final String STARTER = "mpirun";
  private static final String COMPILER = "mpicc";
  private static final String INTERFACES_OF_MESSAGES = "btl_tcp_if_include";

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
    boolean tcp = transport.equals(TCP);
    Path mpirun = starter().orElseThrow();
    List<String> command = command(ranks, tcp ? TCP : sharedMemory(mpirun), yields);
    if (tcp) {
      command.addAll(List.of("--mca", INTERFACES_OF_MESSAGES, "lo"));
    }
    return command;
  }

  private List<String> command(int ranks, String component, boolean yields) {
    List<String> command = new ArrayList<>();
    command.add(starter().orElseThrow().toString());
    command.addAll(List.of("--allow-run-as-root", "--oversubscribe", "-np", "" + ranks));
    // a virtual machine may count both threads of a core as one slot; nobody shall yield for that
    command.addAll(List.of("--mca", "mpi_yield_when_idle", yields ? "1" : "0"));
    command.addAll(List.of("--mca", "pml", "ob1", "--mca", "btl", "self," + component));
    return command;
  }

  /**
   * The starter runs in the first; it takes both for hosts, and comes to the second by a script.
   */
  @Override
  List<String> between(Namespaces namespaces, PeerPrograms programs, List<String> call)
      throws ContenderException {
    String second = ShellWords.line(namespaces.in(1, List.of("sh", "-c")));
    Path agent = programs.script("agent", "shift\nexec " + second + " \"$*\"\n");
    String networks =
        namespaces.sides().stream().map(Namespaces.Side::network).collect(Collectors.joining(","));
    List<String> command = command(2, TCP, false);
    command.addAll(List.of("--host", namespaces.address(0) + ":1," + namespaces.address(1) + ":1"));
    command.addAll(List.of("--mca", INTERFACES_OF_MESSAGES, networks));
    command.addAll(List.of("--mca", "oob_tcp_if_include", networks));
    command.addAll(List.of("--mca", "plm_rsh_agent", agent.toString(), "--bind-to", "none"));
    command.addAll(Namespaces.bound("OMPI_COMM_WORLD_RANK", call));
    return namespaces.in(0, command);
  }

  /** The component for shared memory: vader up to version 4, sm after it. */
  private String sharedMemory(Path mpirun) {
    return isBefore5(answer(mpirun, "--version")) ? "vader" : "sm";
  }

  static boolean isBefore5(String version) {
    return BEFORE_5.matcher(version).find();
  }
}
