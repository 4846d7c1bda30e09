package io.tagfabric.bench.compare;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** MPICH. */
final class Mpich extends MpiLibrary {
  private static final String STARTER = "mpiexec";
  private static final String COMPILER = "mpicc";
  private static final Pattern DEVICE = Pattern.compile("MPICH Device:\\s*(\\S+)");

  Mpich(ProgramFinder finder) {
    super(finder, "MPICH", "mpich libmpich-dev gcc");
  }

  @Override
  public String name() {
    return "mpich";
  }

  /** With the device it was built for, such as {@code ch4:ucx}, if it says so. */
  @Override
  String description() {
    Matcher device = DEVICE.matcher(find("mpichversion").map(it -> answer(it, "-d")).orElse(""));
    return "MPICH in C" + (device.find() ? ", device " + device.group(1) + "," : "");
  }

  @Override
  List<String> plainNames() {
    return List.of(STARTER, COMPILER);
  }

  @Override
  Optional<Path> compiler() {
    return program(List.of("mpicc.mpich"), COMPILER, "-v", said -> said.contains("MPICH"));
  }

  @Override
  Optional<Path> starter() {
    return program(
        List.of("mpiexec.mpich", "mpiexec.hydra"),
        STARTER,
        "--version",
        said -> said.contains("HYDRA"));
  }

  @Override
  public List<String> launcher(int ranks, String transport, boolean yields)
      throws ContenderException {
    if (!transport.equals(SHARED_MEMORY) || yields) {
      throw new ContenderException("MPICH is started for processes with a core each on one host");
    }
    // as Open MPI's starter does of itself
    return List.of(
        starter().orElseThrow().toString(), "-bind-to", "core", "-n", Integer.toString(ranks));
  }
}
