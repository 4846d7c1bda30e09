#!/usr/bin/env bash
# Akka Cluster 2.8.5: when a node leaves in order, a subscriber on that node is told that every other member was removed,
# although these stay Up. The events say MemberRemoved with previousStatus=Up, as if the others had been taken out, and
# come while the ActorSystem still runs its coordinated shutdown. What tells them apart is Cluster.isTerminated, which is
# true by then. A subscriber that takes MemberRemoved for the loss of a node gives up healthy peers.
#
# Expected output:
#   others at the node that stays: Up
#   heard at the leaver: MemberRemoved of a member that was Up, terminated=true
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > pom.xml <<'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>finding</groupId><artifactId>finding</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>com.typesafe.akka</groupId><artifactId>akka-cluster_2.13</artifactId><version>2.8.5</version></dependency>
  </dependencies>
</project>
POM
mvn -B -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
cat > Leaver.java <<'JAVA'
import akka.actor.AbstractActor;
import akka.actor.ActorSystem;
import akka.actor.Props;
import akka.cluster.Cluster;
import akka.cluster.ClusterEvent;
import akka.cluster.MemberStatus;
import com.typesafe.config.ConfigFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

public class Leaver {
  static final CompletableFuture<String> HEARD = new CompletableFuture<>();

  public static class Listener extends AbstractActor {
    final Cluster cluster = Cluster.get(getContext().getSystem());

    @Override
    public void preStart() {
      cluster.subscribe(getSelf(), ClusterEvent.MemberRemoved.class);
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              ClusterEvent.MemberRemoved.class,
              removed -> {
                if (!removed.member().uniqueAddress().equals(cluster.selfUniqueAddress())) {
                  HEARD.complete(
                      "MemberRemoved of a member that was "
                          + removed.previousStatus()
                          + ", terminated="
                          + cluster.isTerminated());
                }
              })
          .matchAny(any -> {})
          .build();
    }
  }

  static ActorSystem start() {
    return ActorSystem.create(
        "finding",
        ConfigFactory.parseString(
                "akka { loglevel = ERROR, stdout-loglevel = OFF, actor.provider = cluster, cluster.jmx.enabled = off,"
                    + " logger-startup-timeout = 60 s, coordinated-shutdown.exit-jvm = off,"
                    + " remote.artery { transport = tcp, canonical { hostname = \"127.0.0.1\", port = 0 } } }")
            .withFallback(ConfigFactory.load()));
  }

  static void until(java.util.function.BooleanSupplier condition) throws Exception {
    for (int i = 0; i < 600 && !condition.getAsBoolean(); i++) {
      Thread.sleep(100);
    }
  }

  public static void main(String[] args) throws Exception {
    ActorSystem stays = start();
    ActorSystem leaves = start();
    Cluster.get(stays).join(Cluster.get(stays).selfAddress());
    Cluster.get(leaves).join(Cluster.get(stays).selfAddress());
    until(() -> Cluster.get(leaves).selfMember().status().equals(MemberStatus.up()));
    leaves.actorOf(Props.create(Listener.class));
    until(() -> Cluster.get(stays).state().members().size() == 2);
    leaves.terminate();
    String heard = HEARD.get(60, TimeUnit.SECONDS);
    System.out.println("others at the node that stays: " + Cluster.get(stays).selfMember().status());
    System.out.println("heard at the leaver: " + heard);
    stays.terminate();
    leaves.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
    stays.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }
}
JAVA
javac -cp 'lib/*' Leaver.java
timeout 180 java -cp "lib/*:." Leaver | tee out.txt
grep -qx 'others at the node that stays: Up' out.txt
grep -qx 'heard at the leaver: MemberRemoved of a member that was Up, terminated=true' out.txt
