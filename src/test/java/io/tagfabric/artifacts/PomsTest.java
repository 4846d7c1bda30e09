package io.tagfabric.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The poms that are installed beside the jars stand alone. */
class PomsTest {
  static List<String> modules() {
    return Stream.concat(Artifacts.LIBRARIES.stream(), Stream.of(Artifacts.BOM)).toList();
  }

  static List<String> libraries() {
    return Artifacts.LIBRARIES;
  }

  @ParameterizedTest
  @MethodSource("modules")
  void shouldSayWhatItIsAndWhoseItIs(String module) {
    Pom pom = Pom.of(module);

    assertThat(pom.text("artifactId")).isEqualTo("tagfabric-" + module);
    assertThat(pom.text("version")).isEqualTo(Artifacts.version());
    assertThat(pom.text("name")).startsWith("Tagfabric ");
    assertThat(pom.text("description")).isNotEmpty();
    assertThat(pom.text("url")).startsWith("https://");
    assertThat(pom.text("licenses", "license", "name")).isEqualTo("Apache-2.0");
    assertThat(pom.text("developers", "developer", "name")).isEqualTo("The Tagfabric authors");
    assertThat(pom.text("scm", "url")).startsWith("https://").doesNotContain(module);
  }

  @ParameterizedTest
  @MethodSource("modules")
  void shouldNeedNoOtherPomAndNoProperty(String module) throws IOException {
    Pom pom = Pom.of(module);

    assertThat(pom.all("parent")).isEmpty();
    assertThat(Files.readString(Artifacts.pom(module))).doesNotContain("${");
    assertThat(pom.dependencies())
        .allSatisfy(
            dependency -> {
              assertThat(dependency.text("version")).isNotEmpty();
              assertThat(dependency.text("scope")).isIn("compile", "runtime");
            });
  }

  @ParameterizedTest
  @MethodSource("libraries")
  void shouldBringNoBackendOfTheLog(String module) {
    assertThat(Pom.of(module).dependencies())
        .isNotEmpty()
        .noneMatch(dependency -> dependency.text("groupId").equals("ch.qos.logback"));
  }

  @Test
  void shouldNameTestedVersionsItself() {
    List<String> managed = Pom.of(Artifacts.BOM).managed().stream().map(Pom::jar).toList();
    List<String> named =
        Pom.of("actors").dependencies().stream()
            .filter(
                dependency ->
                    List.of("jna", "jna-platform", "config", "slf4j-api")
                        .contains(dependency.text("artifactId")))
            .map(Pom::jar)
            .toList();

    assertThat(named).hasSize(4).isSubsetOf(managed);
  }

  @Test
  void shouldKeepDurableDistributedDataOut() {
    List<String> exclusions =
        Pom.of("actors").dependencies().stream()
            .filter(dependency -> dependency.text("artifactId").startsWith("akka-cluster-typed"))
            .map(dependency -> dependency.text("exclusions", "exclusion", "artifactId"))
            .toList();

    assertThat(exclusions).containsExactly("lmdbjava");
  }
}
