package io.tagfabric.provider.aeron;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.jvms.ClassArchive;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that sends back what it gets, until it is killed or its input ends. */
final class EchoPeer implements AutoCloseable {
  private static final String READY = "listens ";

  private final Process process;
  private final EndpointAddress address;

  private EchoPeer(Process process, EndpointAddress address) {
    this.process = process;
    this.address = address;
  }

  /** Starts a process, with the words of another command before that of Java. */
  static EchoPeer start(List<String> before, String host, Path directory) throws IOException {
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    command.addAll(ClassArchive.flags());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(EchoPeer.class.getName(), host, directory.toString()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = out.readLine();
    while (line != null && !line.startsWith(READY)) {
      line = out.readLine();
    }
    if (line == null) {
      throw new IOException("the peer ended: " + process.onExit().join().exitValue());
    }
    return new EchoPeer(process, EndpointAddress.parse(line.substring(READY.length())));
  }

  EndpointAddress address() {
    return address;
  }

  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() throws InterruptedException, IOException {
    process.getOutputStream().close();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      kill();
    }
  }

  static Config config(String host, Path directory) {
    return ConfigFactory.parseString(
            """
            akka.loglevel = ERROR
            akka.actor.provider = local
            akka.coordinated-shutdown.run-by-actor-system-terminate = on
            tagfabric.provider.use = ["aeron"]
            tagfabric.aeron.host = "%s"
            tagfabric.launch.directory = "%s"
            """
                .formatted(host, directory))
        .withFallback(ConfigFactory.load());
  }

  public static void main(String[] args) throws IOException {
    ActorSystem<Void> system =
        ActorSystem.create(Behaviors.empty(), "echo", config(args[0], Path.of(args[1])));
    Domain domain = Fabric.get(system).openDomain("echo", ProgressMode.AUTO);
    Endpoint endpoint = domain.openEndpoint("echo");
    echo(endpoint);
    System.out.println(READY + endpoint.address().encode());
    int ended = System.in.read();
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().join();
    System.exit(ended == -1 ? 0 : 1);
  }

  private static void echo(Endpoint endpoint) {
    endpoint
        .futures()
        .receiveTagged(TagSelector.any())
        .thenAccept(
            (TaggedMessage message) -> {
              echo(endpoint);
              endpoint
                  .futures()
                  .sendTagged(message.source(), message.payload().array(), message.tag());
            });
  }
}
