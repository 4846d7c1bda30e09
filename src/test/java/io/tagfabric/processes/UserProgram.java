package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** A program that Tagfabric does not know: a class, a library that it needs, and jars of both. */
final class UserProgram {
  static final String MAIN = "com.acme.Main";

  /** Prints what it got and where it is, behind what the library says. */
  private static final String MAIN_SOURCE =
      """
      package com.acme;
      import com.acme.lib.Greeting;
      import com.typesafe.config.Config;
      import io.tagfabric.job.Job;
      public final class Main {
        public static void main(String[] args) {
          Job.run(args, Main::run);
        }
        static int run(Job job) throws Exception {
          System.out.println(Greeting.TEXT.toString() + job.rank() + "of" + job.size()
              + "|" + String.join(",", job.arguments())
              + "|" + System.getProperty("user.dir")
              + "|" + System.getenv("LEVEL"));
          if (job.arguments().contains("config")) {
            Config config = job.system().settings().config();
            System.out.println(config.getString("acme.level") + config.getString("acme.name")
                + config.getString("akka.actor.default-dispatcher.throughput"));
          }
          job.barrier();
          return 0;
        }
      }
      """;

  private static final String GREETING_SOURCE =
      """
      package com.acme.lib;
      public enum Greeting { TEXT; @Override public String toString() { return "greeting"; } }
      """;

  private final Path directory;

  private UserProgram(Path directory) {
    this.directory = directory;
  }

  /**
   * Compiles both classes and makes {@code app.jar}, which names {@code lib/greeting.jar}.
   *
   * @param classPath where the compiler finds Tagfabric
   */
  static UserProgram make(Path directory, String classPath) throws IOException {
    UserProgram program = new UserProgram(directory);
    Path library = compile(directory.resolve("greeting"), "Greeting", GREETING_SOURCE, "");
    compile(program.classes(), "Main", MAIN_SOURCE, classPath + ":" + library);
    jar(program.library(), library, Map.of(), Map.of());
    jar(
        program.jar(),
        program.classes(),
        Map.of("Main-Class", MAIN, "Class-Path", "lib/greeting.jar"),
        Map.of());
    return program;
  }

  /** The directory of {@link #MAIN}. */
  Path classes() {
    return directory.resolve("classes");
  }

  /** The jar that {@link #jar} names. */
  Path library() {
    return directory.resolve("lib/greeting.jar");
  }

  Path jar() {
    return directory.resolve("app.jar");
  }

  /** A jar of everything, as build tools make it, with further texts in it. */
  Path fatJar(Map<String, String> texts) throws IOException {
    Path all = directory.resolve("all");
    for (Path part : List.of(directory.resolve("greeting"), classes())) {
      copy(part, all);
    }
    return jar(directory.resolve("fat.jar"), all, Map.of("Main-Class", MAIN), texts);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        Files.createDirectories(target.getParent());
        Files.copy(file, target);
      }
    }
  }

  /** Compiles a class as somebody does by hand. */
  static Path compile(Path into, String name, String source, String classPath) throws IOException {
    Path file = Files.writeString(Files.createDirectories(into).resolve(name + ".java"), source);
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-cp",
                classPath,
                "-d",
                into.toString(),
                file.toString());
    assertThat(code).isZero();
    Files.delete(file);
    return into;
  }

  private static Path jar(
      Path jar, Path classes, Map<String, String> attributes, Map<String, String> texts)
      throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        entries.put(classes.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    texts.forEach((name, text) -> entries.put(name, text.getBytes(StandardCharsets.UTF_8)));
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.forEach(
        (name, value) -> manifest.getMainAttributes().put(new Attributes.Name(name), value));
    Files.createDirectories(jar.getParent());
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        out.putNextEntry(new JarEntry(entry.getKey()));
        out.write(entry.getValue());
      }
    }
    return jar;
  }
}
