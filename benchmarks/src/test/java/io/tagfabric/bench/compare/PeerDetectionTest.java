package io.tagfabric.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.Metric;
import io.tagfabric.bench.measure.Sample;
import io.tagfabric.bench.measure.Workload;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeerDetectionTest {
  private static final Workload WORKLOAD =
      new Workload(1, 2, 3, 4, List.of(new Cell(Metric.LATENCY, 8, 1)));

  @TempDir private Path bin;
  @TempDir private Path root;

  private ProgramFinder finder() {
    return new ProgramFinder(Map.of("PATH", "/nowhere" + File.pathSeparator + bin), root);
  }

  private void program(String name, String script) throws IOException {
    Path file = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Contender openMpi(String transport) {
    return new MpiContender(new OpenMpi(finder()), transport);
  }

  private Contender mpich() {
    return new MpiContender(new Mpich(finder()), "shm");
  }

  @Test
  void shouldNameThePackagesOfOpenMpiWhenItIsNotThere() {
    assertThat(openMpi("shm").missingBecause())
        .contains(
            "Open MPI is missing (no mpirun in PATH), install it with: apt-get install"
                + " openmpi-bin libopenmpi-dev gcc");
  }

  @Test
  void shouldNameTheCompilerWhenOnlyThatIsMissing() throws IOException {
    program("mpirun", "echo 'mpirun (Open MPI) 4.1.4'");

    assertThat(openMpi("shm").missingBecause().orElseThrow())
        .startsWith("Open MPI is missing (no mpicc in PATH)");
  }

  @Test
  void shouldNotTakeAFileThatIsNoProgram() throws IOException {
    Files.writeString(bin.resolve("mpirun"), "text");
    Files.createDirectory(bin.resolve("mpicc"));

    assertThat(finder().find("mpirun")).isEmpty();
    assertThat(finder().find("mpicc")).isEmpty();
  }

  @Test
  void shouldCompileAndRunOpenMpiOnceItIsThere() throws Exception {
    program("mpicc", "echo \"$0: Open MPI 4.1.4 (Language: C)\"");
    program(
        "mpirun",
        """
        [ "$1" = --version ] && echo 'mpirun (Open MPI) 4.1.4' && exit 0
        case "$*" in *'btl self,vader'*' 1 2 3 4 latency:8:1') ;; *) exit 3;; esac
        echo 'some banner'
        echo 'sample latency 8 0.25 0.5'
        """);
    Contender peer = openMpi("shm");

    assertThat(peer.missingBecause()).isEmpty();
    assertThat(peer.run(WORKLOAD)).containsExactly(new Sample(Metric.LATENCY, 8, 0.25, 0.5, ""));
  }

  @Test
  void shouldNotCallWindowsInSharedMemoryTcp() throws Exception {
    program("mpicc", "echo \"$0: Open MPI 4.1.4 (Language: C)\"");
    program(
        "mpirun",
        """
        [ "$1" = --version ] && echo 'mpirun (Open MPI) 4.1.4' && exit 0
        case "$*" in *rma*) exit 3;; *'btl self,tcp'*latency:8:1) ;; *) exit 4;; esac
        echo 'sample latency 8 12 13'
        """);
    Contender peer = openMpi("tcp");
    Cell read = new Cell(Metric.RMA_READ, 8, 1);
    Cell ping = new Cell(Metric.LATENCY, 8, 1);

    List<Sample> both = peer.run(WORKLOAD.withCells(List.of(read, ping)));
    assertThat(both).hasSize(2);
    assertThat(both.get(0).isOf(read)).isTrue();
    assertThat(both.get(0).leftOutBecause()).startsWith("windows of two processes on one host");
    assertThat(both.get(1)).isEqualTo(new Sample(Metric.LATENCY, 8, 12, 13, ""));
    assertThat(peer.run(WORKLOAD.withCells(List.of(read)))).hasSize(1);
  }

  @Test
  void shouldStartOpenMpiFromTheFirstNamespaceByAScriptForTheSecond() throws Exception {
    program("mpirun.openmpi", "");
    Namespaces both =
        new Namespaces(
            List.of(
                new Namespaces.Side("red", "10.1.0.1", 24),
                new Namespaces.Side("blue", "10.2.0.1", 16)));
    PeerPrograms programs = new PeerPrograms();

    List<String> words = new OpenMpi(finder()).between(both, programs, List.of("peer", "a b"));

    assertThat(words).startsWith("ip", "netns", "exec", "red", "unshare", "--mount");
    assertThat(words)
        .containsSequence("--host", "10.1.0.1:1,10.2.0.1:1")
        .containsSequence("btl_tcp_if_include", "10.1.0.1/24,10.2.0.1/16")
        .containsSequence("btl", "self,tcp")
        .containsSequence("--bind-to", "none")
        .endsWith("peer", "a b");
    Path agent = Path.of(words.get(words.indexOf("plm_rsh_agent") + 1));
    assertThat(agent).isExecutable().content().contains("ip netns exec blue unshare --mount");
    assertThat(Files.readString(agent)).endsWith(" sh -c \"$*\"\n");
  }

  @Test
  void shouldSayWhatAFailedProgramSaid() throws Exception {
    program("mpicc", "echo \"$0: Open MPI 4.1.4 (Language: C)\"");
    program(
        "mpirun",
        """
        [ "$1" = --version ] && echo 'mpirun (Open MPI) 4.1.4' && exit 0
        echo '----' >&2
        echo 'no slots' >&2
        exit 1
        """);

    assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> openMpi("shm").run(WORKLOAD)))
        .isInstanceOf(ContenderException.class)
        .hasMessage("no slots");
  }

  @Test
  void shouldKnowWhichVersionsCallSharedMemoryVader() {
    assertThat(OpenMpi.isBefore5("mpirun (Open MPI) 4.1.4")).isTrue();
    assertThat(OpenMpi.isBefore5("mpirun.openmpi (OpenRTE) 4.1.4")).isTrue();
    assertThat(OpenMpi.isBefore5("mpirun (Open MPI) 5.0.3")).isFalse();
  }

  @Test
  void shouldNameThePackagesOfMpichWhenItIsNotThere() throws IOException {
    assertThat(mpich().missingBecause())
        .contains(
            "MPICH is missing (no mpiexec in PATH), install it with: apt-get install mpich"
                + " libmpich-dev gcc");

    program("mpiexec", "echo 'HYDRA build details:'");
    assertThat(mpich().missingBecause().orElseThrow())
        .startsWith("MPICH is missing (no mpicc in PATH)");
  }

  /** As the packages of Debian do it when both libraries are there. */
  private void installBoth() throws IOException {
    program("mpicc.openmpi", "exit 0");
    program(
        "mpirun.openmpi",
        """
        [ "$1" = --version ] && echo 'mpirun.openmpi (OpenRTE) 4.1.4' && exit 0
        case "$*" in *'btl self,vader'*'/openmpi-mpi_peer '*) ;; *) exit 3;; esac
        echo 'sample latency 8 0.25 0.5'
        """);
    program("mpicc.mpich", "exit 0");
    program(
        "mpiexec.mpich",
        """
        case "$*" in '-bind-to core -n 2 '*'/mpich-mpi_peer 1 2 3 4 latency:8:1') ;; *) exit 3;; esac
        echo 'sample latency 8 0.75 1.5'
        """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"openmpi", "mpich"})
  void shouldTakeTheProgramsOfEachWhicheverTheUnnamedAreOf(String unnamed) throws Exception {
    installBoth();
    for (String each : List.of("mpicc", "mpirun", "mpiexec")) {
      program(each, "echo of " + unnamed + ", must not be taken; exit 9");
    }

    assertThat(openMpi("shm").run(WORKLOAD))
        .containsExactly(new Sample(Metric.LATENCY, 8, 0.25, 0.5, ""));
    assertThat(mpich().run(WORKLOAD)).containsExactly(new Sample(Metric.LATENCY, 8, 0.75, 1.5, ""));
  }

  @Test
  void shouldNotTakeProgramsOfTheOtherLibraryForItsOwn() throws IOException {
    program("mpicc", "[ \"$1\" = -v ] && echo 'mpicc for MPICH version 4.0.2'");
    program("mpirun", "echo 'HYDRA build details:'");
    program("mpiexec", "echo 'HYDRA build details:'");

    assertThat(mpich().missingBecause()).isEmpty();
    assertThat(openMpi("shm").missingBecause().orElseThrow())
        .startsWith("Open MPI is missing (mpirun is another's in PATH), install it with: ");

    program("mpicc", "[ \"$1\" = --showme:version ] && echo 'mpicc: Open MPI 4.1.4 (Language: C)'");
    program("mpirun", "echo 'mpirun (Open MPI) 4.1.4'");
    program("mpiexec", "echo 'mpiexec (OpenRTE) 4.1.4'");

    assertThat(openMpi("shm").missingBecause()).isEmpty();
    assertThat(mpich().missingBecause().orElseThrow())
        .startsWith("MPICH is missing (mpiexec is another's in PATH)");
  }

  @Test
  void shouldSayForWhichDeviceMpichWasBuilt() throws IOException {
    assertThat(mpich().description()).isEqualTo("MPICH in C over shm");

    program("mpichversion", "echo 'MPICH Device:    \tch4:ucx'");
    assertThat(mpich().description()).isEqualTo("MPICH in C, device ch4:ucx, over shm");
  }

  @Test
  void shouldNameThePackageOfMpjWhenItIsNotThere() {
    assertThat(new Mpj(finder()).missingBecause())
        .contains(
            "MPJ Express is missing (no /usr/share/mpj/lib/mpj.jar), install it with: apt-get"
                + " install libmpj-java");
  }
}
