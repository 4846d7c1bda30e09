package io.tagfabric.simulation.isolate;

import io.tagfabric.simulation.isolate.ForeignCall.Kind;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The calls of the JDK that nothing can take the place of. */
final class ForeignCalls {
  /** By owner for all calls of a class, or by {@code owner.name}. */
  private static final Map<String, Kind> KINDS = new HashMap<>();

  static {
    put(Kind.PROCESS, "java/lang/ProcessBuilder", "java/lang/Runtime.exec");
    put(Kind.PROCESS, "java/lang/ProcessHandle", "java/lang/management/ManagementFactory");
    put(Kind.SIGNAL, "sun/misc/Signal");
    put(
        Kind.NETWORK,
        "java/net/Socket",
        "java/net/ServerSocket",
        "java/net/DatagramSocket",
        "java/net/MulticastSocket",
        "java/net/NetworkInterface",
        "java/net/URL.openConnection",
        "java/net/URL.openStream",
        "java/net/InetAddress.getByName",
        "java/net/InetAddress.getAllByName",
        "java/net/InetAddress.getLocalHost",
        "java/net/http/HttpClient",
        "javax/net/SocketFactory",
        "javax/net/ServerSocketFactory",
        "java/nio/channels/SocketChannel",
        "java/nio/channels/ServerSocketChannel",
        "java/nio/channels/DatagramChannel",
        "java/nio/channels/AsynchronousSocketChannel",
        "java/nio/channels/AsynchronousServerSocketChannel",
        "java/nio/channels/Selector");
    put(
        Kind.THREADS,
        "java/util/Timer",
        "java/util/concurrent/ForkJoinPool",
        "java/util/concurrent/StructuredTaskScope",
        "java/util/concurrent/Executors.newWorkStealingPool",
        "java/util/concurrent/Executors.newVirtualThreadPerTaskExecutor",
        "java/util/concurrent/Executors.newThreadPerTaskExecutor",
        "java/lang/Thread.ofVirtual",
        "java/lang/Thread.ofPlatform",
        "java/lang/Thread.startVirtualThread",
        "java/util/Collection.parallelStream",
        "java/util/stream/BaseStream.parallel",
        "java/util/Arrays.parallelSort",
        "java/util/Arrays.parallelSetAll",
        "java/util/Arrays.parallelPrefix");
    put(
        Kind.MONITOR,
        "java/lang/Object.wait",
        "java/util/concurrent/locks/Condition.await",
        "java/util/concurrent/locks/Condition.awaitNanos",
        "java/util/concurrent/locks/Condition.awaitUntil",
        "java/util/concurrent/locks/Condition.awaitUninterruptibly",
        "java/util/concurrent/CyclicBarrier.await",
        "java/util/concurrent/Phaser.arriveAndAwaitAdvance",
        "java/util/concurrent/Phaser.awaitAdvance",
        "java/util/concurrent/Exchanger.exchange");
    put(
        Kind.CLASSES,
        "java/net/URLClassLoader",
        "java/lang/invoke/MethodHandles$Lookup.defineClass");
    put(
        Kind.CLASSES,
        "java/lang/invoke/MethodHandles$Lookup.defineHiddenClass",
        "java/lang/ClassLoader.defineClass");
    put(Kind.NATIVE, "java/lang/System.load", "java/lang/System.loadLibrary");
    put(Kind.NATIVE, "java/lang/Runtime.load", "java/lang/Runtime.loadLibrary");
    put(Kind.NATIVE, "java/lang/foreign/Linker", "com/sun/jna/Native");
    put(Kind.CLOCK, "java/time/InstantSource.system", "sun/misc/Unsafe.park");
  }

  private ForeignCalls() {}

  private static void put(Kind kind, String... places) {
    for (String place : places) {
      KINDS.put(place, kind);
    }
  }

  /** What a call reaches, by the names of class files. */
  static Optional<Kind> kind(Hierarchy hierarchy, String owner, String name) {
    Kind kind = KINDS.get(owner);
    if (kind == null) {
      kind = KINDS.get(owner + "." + name);
    }
    return kind != null ? Optional.of(kind) : inherited(hierarchy, owner, name);
  }

  /** The same of a class that inherits the method, such as a list its {@code parallelStream}. */
  private static Optional<Kind> inherited(Hierarchy hierarchy, String owner, String name) {
    String end = "." + name;
    for (Map.Entry<String, Kind> each : KINDS.entrySet()) {
      String place = each.getKey();
      if (place.endsWith(end)
          && hierarchy.isA(owner, place.substring(0, place.length() - end.length()))) {
        return Optional.of(each.getValue());
      }
    }
    return Optional.empty();
  }
}
