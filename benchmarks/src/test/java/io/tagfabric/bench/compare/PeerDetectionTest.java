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

  @Test
  void shouldNameThePackagesOfOpenMpiWhenItIsNotThere() {
    assertThat(new OpenMpi(finder(), "shm").missingBecause())
        .contains(
            "Open MPI is missing (no mpirun in PATH), install it with: apt-get install"
                + " openmpi-bin libopenmpi-dev gcc");
  }

  @Test
  void shouldNameTheCompilerWhenOnlyThatIsMissing() throws IOException {
    program("mpirun", "exit 0");

    assertThat(new OpenMpi(finder(), "shm").missingBecause().orElseThrow())
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
    program("mpicc", "exit 0");
    program(
        "mpirun",
        """
        [ "$1" = --version ] && echo 'mpirun (Open MPI) 4.1.4' && exit 0
        case "$*" in *'btl self,vader'*' 1 2 3 4 latency:8:1') ;; *) exit 3;; esac
        echo 'some banner'
        echo 'sample latency 8 0.25 0.5'
        """);
    OpenMpi peer = new OpenMpi(finder(), "shm");

    assertThat(peer.missingBecause()).isEmpty();
    assertThat(peer.run(WORKLOAD)).containsExactly(new Sample(Metric.LATENCY, 8, 0.25, 0.5, ""));
  }

  @Test
  void shouldNotCallWindowsInSharedMemoryTcp() throws Exception {
    program("mpicc", "exit 0");
    program(
        "mpirun",
        """
        case "$*" in *rma*) exit 3;; *'btl self,tcp'*latency:8:1) ;; *) exit 4;; esac
        echo 'sample latency 8 12 13'
        """);
    OpenMpi peer = new OpenMpi(finder(), "tcp");
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
  void shouldSayWhatAFailedProgramSaid() throws Exception {
    program("mpicc", "exit 0");
    program(
        "mpirun", "[ \"$1\" = --version ] && exit 0\necho '----' >&2\necho 'no slots' >&2\nexit 1");

    assertThat(
            org.assertj.core.api.Assertions.catchThrowable(
                () -> new OpenMpi(finder(), "shm").run(WORKLOAD)))
        .isInstanceOf(ContenderException.class)
        .hasMessage("no slots");
  }

  @Test
  void shouldKnowWhichVersionsCallSharedMemoryVader() {
    assertThat(OpenMpi.isBefore5("mpirun (Open MPI) 4.1.4")).isTrue();
    assertThat(OpenMpi.isBefore5("mpirun (Open MPI) 5.0.3")).isFalse();
  }

  @Test
  void shouldNameThePackageOfMpjWhenItIsNotThere() {
    assertThat(new Mpj(finder()).missingBecause())
        .contains(
            "MPJ Express is missing (no /usr/share/mpj/lib/mpj.jar), install it with: apt-get"
                + " install libmpj-java");
  }
}
