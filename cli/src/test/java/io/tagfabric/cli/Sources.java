package io.tagfabric.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Compiles small classes and makes jars of them. */
final class Sources {
  private Sources() {}

  /** Compiles one class of the unnamed package, or of the one that its name begins with. */
  static Path compile(Path into, String className, String body, String... options)
      throws IOException {
    int dot = className.lastIndexOf('.');
    String source =
        (dot < 0 ? "" : "package " + className.substring(0, dot) + "; ")
            + body.replace("NAME", className.substring(dot + 1));
    Path file =
        Files.writeString(
            Files.createDirectories(into).resolve(className.substring(dot + 1) + ".java"), source);
    List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", into.toString()));
    arguments.addAll(List.of(options));
    arguments.add(file.toString());
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(code).isZero();
    Files.delete(file);
    return into;
  }

  static Path jar(Path jar, Path classes, Map<String, String> attributes) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.forEach(
        (name, value) -> manifest.getMainAttributes().put(new Attributes.Name(name), value));
    Files.createDirectories(jar.getParent());
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest);
        Stream<Path> found = Files.walk(classes)) {
      for (Path each : found.filter(Files::isRegularFile).sorted().toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(each).toString()));
        out.write(Files.readAllBytes(each));
      }
    }
    return jar;
  }
}
