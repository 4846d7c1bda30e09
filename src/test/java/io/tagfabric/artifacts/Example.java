package io.tagfabric.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.artifacts.Program.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A project below {@code examples}, built in another place with a repository that has Tagfabric's
 * artifacts and no sources of them.
 */
final class Example {
  private static final Duration BUILD = Duration.ofSeconds(100);

  private Example() {}

  /**
   * Builds a project and runs its tests.
   *
   * @param directory where the project comes to lie, below its name
   */
  static void build(String name, Path directory) throws Exception {
    Path project = directory.resolve(name);
    copy(Artifacts.root().resolve("examples").resolve(name), project);
    Path repository = directory.resolve("repository");
    Artifacts.install(repository);
    List<String> maven =
        List.of(
            Path.of(Artifacts.property("artifacts.maven.home"), "bin", "mvn").toString(),
            "-B",
            "-q",
            "-gs",
            Files.writeString(directory.resolve("settings.xml"), settings()).toString(),
            "-Dmaven.repo.local=" + repository,
            "package");
    try (Program program =
        Program.start(
            project, "build", Map.of("JAVA_HOME", System.getProperty("java.home")), maven)) {
      Result result = program.end(BUILD);

      assertThat(result.code()).as("%s", result).isZero();
    }
  }

  /** What this build has fetched serves the other one, which needs no network then. */
  private static String settings() {
    String repository =
        """
        <id>fetched</id>
        <url>%s</url>
        <releases><updatePolicy>never</updatePolicy><checksumPolicy>ignore</checksumPolicy></releases>
        <snapshots><enabled>false</enabled></snapshots>
        """
            .formatted(Path.of(Artifacts.property("artifacts.maven.repository")).toUri());
    return """
    <settings>
      <profiles>
        <profile>
          <id>fetched</id>
          <repositories><repository>%s</repository></repositories>
          <pluginRepositories><pluginRepository>%s</pluginRepository></pluginRepositories>
        </profile>
      </profiles>
      <activeProfiles><activeProfile>fetched</activeProfile></activeProfiles>
    </settings>
    """
        .formatted(repository, repository);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> tree = Files.walk(from)) {
      for (Path file : tree.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (from.relativize(file).startsWith("target")) {
          continue;
        }
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    }
  }
}
