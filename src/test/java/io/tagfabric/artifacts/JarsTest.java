package io.tagfabric.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is in the jars beside classes. */
class JarsTest {
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("cluster-config", "io.tagfabric.cluster"),
          Map.entry("launcher", "io.tagfabric.launch"),
          Map.entry("kryo", "io.tagfabric.kryo"),
          Map.entry("actors", "io.tagfabric"),
          Map.entry("collectives", "io.tagfabric.collective"),
          Map.entry("simulation", "io.tagfabric.simulation"),
          Map.entry("testkit", "io.tagfabric.testkit"),
          Map.entry("demos", "io.tagfabric.demos"),
          Map.entry("benchmarks", "io.tagfabric.bench"),
          Map.entry("trials", "io.tagfabric.trials"),
          Map.entry("cli", "io.tagfabric.cli"));

  static List<String> modules() {
    return Artifacts.JARS;
  }

  @ParameterizedTest
  @MethodSource("modules")
  void shouldHaveTheLicence(String module) throws IOException {
    try (JarFile jar = new JarFile(Artifacts.jar(module).toFile())) {
      for (String name : List.of("LICENSE", "NOTICE")) {
        try (InputStream in = jar.getInputStream(jar.getEntry("META-INF/" + name))) {
          assertThat(in.readAllBytes())
              .as("META-INF/%s of %s", name, module)
              .isEqualTo(Files.readAllBytes(Artifacts.root().resolve(name)));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("modules")
  void shouldSayWhatItIs(String module) throws IOException {
    try (JarFile jar = new JarFile(Artifacts.jar(module).toFile())) {
      Attributes manifest = jar.getManifest().getMainAttributes();

      assertThat(manifest.getValue("Implementation-Title")).startsWith("Tagfabric ");
      assertThat(manifest.getValue("Implementation-Version")).isEqualTo(Artifacts.version());
    }
  }

  @ParameterizedTest
  @MethodSource("modules")
  void shouldBeAModuleWithAName(String module) {
    assertThat(descriptor(module).name()).isEqualTo(NAMES.get(module));
  }

  @Test
  void shouldHaveNoPackageInTwoJars() {
    Map<String, String> owners = new HashMap<>();
    for (String module : modules()) {
      for (String name : descriptor(module).packages()) {
        assertThat(owners.put(name, module)).as("another jar with %s of %s", name, module).isNull();
      }
    }
    assertThat(owners).containsEntry("io.tagfabric.fabric", "actors");
  }

  /** As the JVM reads the jar as a module; it also checks that the services named are there. */
  private static ModuleDescriptor descriptor(String module) {
    return ModuleFinder.of(Artifacts.jar(module)).findAll().iterator().next().descriptor();
  }
}
