#!/usr/bin/env bash
# HotSpot (OpenJDK 17.0.15 and 25): System.gc() is a full collection and clears weak references to all unreachable objects,
# but the heap that is used afterwards still counts objects that it left where they were. With the serial collector 4 % of a
# heap that became unreachable are there after one, two and three calls and go with the fourth: only each fourth full
# collection compacts all, the others leave up to 5 % (MarkSweepDeadRatio). With G1, the default on most servers, they never
# go however often it is called, since a region with so little garbage is not compacted. The parallel collector and
# -XX:MarkSweepDeadRatio=0 return them at once. So a leak test that calls System.gc() twice and compares used bytes sees
# jumps of some percent of the heap between runs without any change; a class histogram shows them as int[] on 17.
#
# Expected output:
#   serial: references cleared at once: true, memory back after each call: no no no yes
#   parallel: references cleared at once: true, memory back after each call: yes yes yes yes
#   g1: references cleared at once: true, memory back after each call: no no no no
#   g1, MarkSweepDeadRatio=0: references cleared at once: true, memory back after each call: yes yes yes yes
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > DeadWood.java <<'JAVA'
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

public class DeadWood {
  static final Object[] LIVING = new Object[40_000];

  static long usedBytes() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  public static void main(String[] args) {
    for (int i = 0; i < LIVING.length; i++) {
      LIVING[i] = new byte[1000];
    }
    List<WeakReference<Object>> gone = new ArrayList<>();
    for (int i = 0; i < LIVING.length; i += 25) {
      gone.add(new WeakReference<>(LIVING[i]));
    }
    for (int i = 0; i < 4; i++) {
      System.gc();
    }
    long before = usedBytes();
    for (int i = 0; i < LIVING.length; i += 25) {
      LIVING[i] = null; // 1,600 arrays, 1.6 MB
    }
    StringBuilder back = new StringBuilder();
    boolean cleared = false;
    for (int call = 0; call < 4; call++) {
      System.gc();
      back.append(before - usedBytes() > 1_000_000 ? " yes" : " no");
      if (call == 0) {
        cleared = gone.stream().allMatch(each -> each.get() == null);
      }
    }
    System.out.println("references cleared at once: " + cleared + ", memory back after each call:" + back);
  }
}
JAVA
javac DeadWood.java
java -version 2>&1 | head -1
run() {
  name=$1
  shift
  echo "$name: $(java -Xms256m -Xmx256m "$@" -cp . DeadWood)"
}
out=$(
  run serial -XX:+UseSerialGC
  run parallel -XX:+UseParallelGC
  run g1 -XX:+UseG1GC
  run "g1, MarkSweepDeadRatio=0" -XX:+UseG1GC -XX:MarkSweepDeadRatio=0
)
echo "$out"
expected="serial: references cleared at once: true, memory back after each call: no no no yes
parallel: references cleared at once: true, memory back after each call: yes yes yes yes
g1: references cleared at once: true, memory back after each call: no no no no
g1, MarkSweepDeadRatio=0: references cleared at once: true, memory back after each call: yes yes yes yes"
[ "$out" = "$expected" ] || { echo "it behaves otherwise now"; exit 1; }
