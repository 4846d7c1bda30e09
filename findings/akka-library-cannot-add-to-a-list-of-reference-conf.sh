#!/usr/bin/env bash
# Akka 2.8.5 with Typesafe Config 1.4.x: a library that adds its package to a list of Akka's by `+=` in its own
# reference.conf, as to akka.actor.no-serialization-verification-needed-class-prefix, is heard only where its jar stands
# before akka-actor on the class path. Behind it the addition is lost without a word: all files reference.conf are one
# stack in the order of the class path, the earlier one wins, and Akka's own line is a plain assignment that does not look
# back. With akka.actor.serialize-messages = on the library's messages then fail or not by the order of jars.
#
# Expected output:
#   library before akka-actor: [akka., lib.]
#   library behind akka-actor: [akka.]
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > pom.xml <<'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>finding</groupId><artifactId>finding</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>com.typesafe.akka</groupId><artifactId>akka-actor_2.13</artifactId><version>2.8.5</version></dependency>
  </dependencies>
</project>
POM
mvn -B -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
mkdir library
echo 'akka.actor.no-serialization-verification-needed-class-prefix += "lib."' > library/reference.conf
cat > Show.java <<'JAVA'
import com.typesafe.config.ConfigFactory;

public class Show {
  public static void main(String[] args) {
    System.out.println(
        args[0] + ": "
            + ConfigFactory.load()
                .getStringList("akka.actor.no-serialization-verification-needed-class-prefix"));
  }
}
JAVA
javac -cp 'lib/*' Show.java
timeout 60 java -cp "library:lib/*:." Show "library before akka-actor" | tee out.txt
timeout 60 java -cp "lib/*:library:." Show "library behind akka-actor" | tee -a out.txt
grep -qx 'library before akka-actor: \[akka., lib.\]' out.txt
grep -qx 'library behind akka-actor: \[akka.\]' out.txt
