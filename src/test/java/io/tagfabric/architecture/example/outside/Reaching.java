package io.tagfabric.architecture.example.outside;

import io.tagfabric.progress.TimeSource;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Reaches past the environment, in each way once. */
public final class Reaching {
  private static final class Worker extends Thread {}

  private final IdentityHashMap<Object, String> names = new IdentityHashMap<>();

  long call() {
    return System.nanoTime();
  }

  LongSupplier reference() {
    return System::currentTimeMillis;
  }

  Supplier<UUID> lambda() {
    return () -> UUID.randomUUID();
  }

  TimeSource field() {
    return TimeSource.SYSTEM;
  }

  int subclass() {
    return ThreadLocalRandom.current().nextInt();
  }

  Thread thread() {
    return new Worker();
  }

  CompletableFuture<Void> pool() {
    return CompletableFuture.runAsync(() -> {});
  }

  List<String> order() {
    return List.copyOf(names.values());
  }
}
