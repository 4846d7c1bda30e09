package io.tagfabric.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.Metric;
import io.tagfabric.bench.measure.Sample;
import io.tagfabric.bench.measure.Workload;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.jvms.ClassArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JvmTest {
  private static final Workload WORKLOAD =
      new Workload(1, 2, 3, 4, List.of(new Cell(Metric.LATENCY, 8, 1)));

  @TempDir private Path directory;

  private Path home(String name, String release) throws IOException {
    Path home = Files.createDirectories(directory.resolve(name));
    Path bin = Files.createDirectories(home.resolve("bin"));
    Path java = Files.writeString(bin.resolve("java"), "#!/bin/sh\necho 'no JVM' >&2; exit 1\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(home.resolve("release"), release);
    return home;
  }

  private static JobContender job(String mainClass) {
    return new JobContender(
        "shm",
        "ours",
        Optional.empty(),
        JobContender.Plays.MESSAGES,
        0,
        Integer.MAX_VALUE,
        100,
        Profile.TCP,
        mainClass,
        () -> List.of("1", "two"));
  }

  @Test
  void shouldReadTheVersionThatAJavaSays() throws IOException {
    Jvm jvm = Jvm.at(home("jdk", "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"25.0.1\"\n"));

    assertThat(jvm.version()).isEqualTo("25.0.1");
    assertThat(new OtherJvmContender(job("Main"), jvm).name()).isEqualTo("shm@25");
    assertThat(new OtherJvmContender(job("Main"), jvm).description())
        .isEqualTo("ours, with Java 25.0.1");
  }

  @Test
  void shouldSayWhatIsWrongWithADirectory() throws IOException {
    Path none = directory.resolve("none");
    assertThatThrownBy(() -> Jvm.at(none))
        .hasMessage(none + " has no bin/java, give the directory of a JDK 17 or newer");
    Path old = home("old", "JAVA_VERSION=\"1.8.0_292\"\n");
    assertThatThrownBy(() -> Jvm.at(old))
        .hasMessage(old + " is Java 1.8.0_292, give the directory of a JDK 17 or newer");
    Path mute = home("mute", "");
    assertThatThrownBy(() -> Jvm.at(mute)).hasMessageContaining(" is Java of unknown version, ");
  }

  @Test
  void shouldRefuseTwoThatSeriesCannotTellApart() throws IOException {
    Path one = home("one", "JAVA_VERSION=\"17.0.1\"\n");
    Path two = home("two", "JAVA_VERSION=\"17.0.2\"\n");

    assertThatThrownBy(() -> Jvm.at(List.of(one, two)))
        .hasMessage(one + " and " + two + " are both Java 17, give one");
  }

  @Test
  void shouldReadBackWhatItIsToRun() {
    JobMain.Call call = JobMain.Call.of(job("a.Main"), WORKLOAD, Duration.ofMillis(1500));

    assertThat(JobMain.Call.parse(call.toWords())).isEqualTo(call);
    assertThat(call.arguments()).containsExactly("1", "two");
  }

  @Test
  void shouldSayWhyAJavaFailed() throws IOException {
    Jvm jvm = Jvm.at(home("jdk", "JAVA_VERSION=\"25\"\n"));

    assertThatThrownBy(() -> new OtherJvmContender(job("Main"), jvm).run(WORKLOAD))
        .isInstanceOf(ContenderException.class)
        .hasMessage("no JVM");
  }

  @Test
  @Tag("jvms")
  void shouldRunAJobWithTheJavaNamed() throws ContenderException {
    ClassArchive.use();
    Jvm jvm = Jvm.at(Path.of(System.getProperty("java.home")));

    List<Sample> samples =
        new OtherJvmContender(job(JobContenderTest.FailsLater.class.getName()), jvm)
            .run(
                WORKLOAD.withCells(
                    List.of(new Cell(Metric.LATENCY, 8, 1), new Cell(Metric.RATE, 8, 64))));

    assertThat(samples).hasSize(2);
    assertThat(samples.get(0).value()).isEqualTo(2.5);
    assertThat(samples.get(1).leftOutBecause()).isEqualTo("out of breath");
  }
}
