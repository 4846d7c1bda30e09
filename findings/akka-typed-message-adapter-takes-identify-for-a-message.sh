#!/usr/bin/env bash
# Akka Typed 2.8.5: akka.actor.Identify, which every actor answers by itself, is no question to the reference of a message
# adapter. The adapter is a function behind an ActorRef: an Identify told to it arrives in the actor as a message of the
# application, and no ActorIdentity ever comes back. The same Identify to the actor itself is answered and its behavior
# never sees it. So code that probes references of unknown origin, such as a replyTo, with Identify adds a message to
# actors that use adapters, and takes living ones for dead.
#
# Expected output:
#   to the actor: identity=true, messages seen by its behavior: []
#   to its adapter: identity=false, messages seen by its behavior: [Identify]
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > pom.xml <<'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>finding</groupId><artifactId>finding</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>com.typesafe.akka</groupId><artifactId>akka-actor-typed_2.13</artifactId><version>2.8.5</version></dependency>
  </dependencies>
</project>
POM
mvn -B -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
cat > Adapters.java <<'JAVA'
import akka.actor.Identify;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.pattern.Patterns;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

public class Adapters {
  static final List<String> SEEN = new CopyOnWriteArrayList<>();
  static final CompletableFuture<ActorRef<Object>> ADAPTER = new CompletableFuture<>();

  static String identify(ActorRef<?> ref) throws Exception {
    boolean answered;
    try {
      Patterns.ask(Adapter.toClassic(ref), new Identify(1), Duration.ofSeconds(3))
          .toCompletableFuture()
          .get(60, TimeUnit.SECONDS);
      answered = true;
    } catch (java.util.concurrent.ExecutionException e) {
      answered = false;
    }
    return "identity=" + answered + ", messages seen by its behavior: " + SEEN;
  }

  public static void main(String[] args) throws Exception {
    ActorSystem<Object> system =
        ActorSystem.create(
            Behaviors.<Object>setup(
                context -> {
                  ADAPTER.complete(context.messageAdapter(Object.class, message -> message));
                  return Behaviors.receiveMessage(
                      message -> {
                        SEEN.add(message.getClass().getSimpleName());
                        return Behaviors.same();
                      });
                }),
            "finding",
            ConfigFactory.parseString("akka { loglevel = OFF, stdout-loglevel = OFF }")
                .withFallback(ConfigFactory.load()));
    System.out.println("to the actor: " + identify(system));
    System.out.println("to its adapter: " + identify(ADAPTER.get(60, TimeUnit.SECONDS)));
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }
}
JAVA
javac -cp 'lib/*' Adapters.java
timeout 120 java -cp "lib/*:." Adapters 2>/dev/null | tee out.txt
grep -qx 'to the actor: identity=true, messages seen by its behavior: \[\]' out.txt
grep -qx 'to its adapter: identity=false, messages seen by its behavior: \[Identify\]' out.txt
