package io.tagfabric.job;

import io.tagfabric.runtime.ProcessControl;
import io.tagfabric.runtime.ProcessEnded;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** A process that is a rank of this JVM; its end is noted. */
final class MemoryProcess implements ProcessControl {
  private final CompletableFuture<Integer> ended = new CompletableFuture<>();
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final List<Runnable> hooks = new CopyOnWriteArrayList<>();
  private volatile boolean ending;

  /** Completes with its code. */
  CompletableFuture<Integer> ended() {
    return ended;
  }

  /** What it has told people. */
  List<String> said() {
    return said;
  }

  @Override
  public String identity() {
    return "";
  }

  @Override
  public void exit(int code) {
    ending = true;
    hooks.forEach(Runnable::run);
    halt(code);
  }

  @Override
  public void halt(int code) {
    ending = true;
    ended.complete(code);
    throw new ProcessEnded("ended with " + code);
  }

  @Override
  public void addShutdownHook(String name, Runnable hook) {
    hooks.add(hook);
  }

  @Override
  public boolean isEnding() {
    return ending;
  }

  @Override
  public Optional<Integer> signal() {
    return Optional.empty();
  }

  @Override
  public void hearExit() {}

  @Override
  public OptionalInt exitCode() {
    return OptionalInt.empty();
  }

  @Override
  public void say(String line) {
    said.add(line);
  }
}
