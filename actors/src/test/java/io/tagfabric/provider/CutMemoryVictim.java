package io.tagfabric.provider;

import akka.actor.typed.ActorSystem;
import io.tagfabric.access.Access;
import io.tagfabric.access.MemoryFutures;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.complete.Completion;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.memory.Slices;
import io.tagfabric.progress.ProgressMode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;

/** A JVM that accesses a region, cuts the file of its memory, and goes on. */
final class CutMemoryVictim {
  private static final int BYTES = 200_000;
  private static final int AT = BYTES / 2;
  private static final int PART_BYTES = 50_000;

  private CutMemoryVictim() {}

  /** The provider, below which directory its files are, how much is kept, how often it accesses. */
  public static void main(String[] args) throws Exception {
    Path parent = Path.of(args[1]);
    ActorSystem<Void> system =
        ContractSystems.start(args[0], "cut", "tagfabric.launch.directory = \"" + parent + "\"");
    Domain near = Fabric.get(system).openDomain("near", ProgressMode.AUTO);
    Domain far = Fabric.get(system).openDomain("far", ProgressMode.AUTO);
    Side asker = new Side(near, "near", Side.QUEUE_SIZE, near.endpointDefaults());
    Side owner = new Side(far, "far", Side.QUEUE_SIZE, far.endpointDefaults());
    FabricMemory memory = far.allocate(BYTES);
    Region region = far.register(memory.buffer(), RegionRight.all());
    int toFar = asker.indexOf(owner);
    owner.indexOf(asker);
    RemoteRegion direct = new RemoteRegion(toFar, region.descriptor());
    RemoteRegion byLoop = new RemoteRegion(toFar, RegionDescriptor.agreed(region.key(), BYTES));
    MemoryFutures futures = asker.endpoint.memory().futures();
    int rounds = Integer.parseInt(args[3]);

    Map<String, String> ends = new TreeMap<>();
    all(futures, direct, rounds, "before by itself", ends);
    all(futures, byLoop, rounds / 10, "before by the loop", ends);
    cut(parent, Long.parseLong(args[2]));
    all(futures, direct, rounds / 10, "cut by itself", ends);
    ends.put("cut by a call", called(asker, direct));
    all(futures, byLoop, rounds / 10, "cut by the loop", ends);
    ends.forEach((when, end) -> System.out.println(when + ": " + end));
    await(region.close());
    near.close(Duration.ofSeconds(1));
    far.close(Duration.ofSeconds(1));
    memory.close();
    system.terminate();
    await(system.getWhenTerminated());
    System.out.println("closed");
  }

  /** An access that is told of in a queue. */
  private static String called(Side asker, RemoteRegion to) {
    asker.poll();
    asker.sent.clear();
    asker.endpoint.memory().writeValue(to, AT, 1, SendOptions.DEFAULT, "called");
    long beganNs = System.nanoTime();
    while (asker.sent.isEmpty() && System.nanoTime() - beganNs < 20_000_000_000L) {
      asker.poll();
      Thread.onSpinWait();
    }
    return asker.sent.get(0) instanceof Completion.Failed failed
        ? failed.error().name()
        : asker.sent.toString();
  }

  private static void cut(Path parent, long keptBytes) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(parent)) {
      files = all.filter(each -> each.getFileName().toString().startsWith("memory-")).toList();
    }
    for (Path file : files) {
      try (FileChannel other = FileChannel.open(file, StandardOpenOption.WRITE)) {
        other.truncate(keptBytes);
      }
    }
  }

  private static void all(
      MemoryFutures futures, RemoteRegion to, int rounds, String when, Map<String, String> ends) {
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[PART_BYTES]);
    Slices there = Slices.indexed(100, AT, AT + 200);
    Slices here = Slices.one(0, 200);
    for (int i = 0; i < rounds; i++) {
      Map<String, Supplier<CompletionStage<?>>> accesses = new TreeMap<>();
      accesses.put("writeValue", () -> futures.writeValue(to, AT, 1));
      accesses.put("readValue", () -> futures.readValue(to, AT));
      accesses.put("write", () -> futures.write(to, AT, buffer));
      accesses.put("read", () -> futures.read(to, AT, buffer));
      accesses.put("signal", () -> futures.start(Access.write(to, AT, buffer).signal()));
      accesses.put("fill", () -> futures.start(Access.fill(to, AT, PART_BYTES, (byte) 1)));
      accesses.put("writeSlices", () -> futures.start(Access.writeSlices(to, there, buffer, here)));
      accesses.put("readSlices", () -> futures.start(Access.readSlices(to, there, buffer, here)));
      accesses.put("fetch", () -> futures.fetch(to, AT, AtomicOp.SUM, 1));
      accesses.put("swap", () -> futures.compareAndSwap(to, AT, 1, 2));
      accesses.forEach(
          (name, access) ->
              ends.merge(
                  when, end(access), (before, now) -> now.equals(before) ? now : name + " " + now));
    }
  }

  private static String end(Supplier<CompletionStage<?>> access) {
    try {
      await(access.get());
      return "done";
    } catch (CompletionException e) {
      return e.getCause() instanceof FabricException failed
          ? failed.error().name()
          : e.getCause().toString();
    } catch (InternalError e) {
      return "thrown into the caller";
    }
  }

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }
}
