package io.tagfabric.simulation.job;

import io.tagfabric.runtime.ProcessControl;
import io.tagfabric.runtime.ProcessEnded;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The process of a simulated rank. Thread: as all of a simulation. */
final class RankProcess implements ProcessControl {
  private static final int CODE_MASK = 0xFF;

  private final SimulatedRank rank;
  private final Map<Thread, Runnable> hooks = new LinkedHashMap<>();
  private boolean ending;
  private OptionalInt exitCode = OptionalInt.empty();

  RankProcess(SimulatedRank rank) {
    this.rank = rank;
  }

  /** None: nobody can look whether it lives but by the network. */
  @Override
  public String identity() {
    return "";
  }

  @Override
  public void exit(int code) {
    if (!ending) {
      ending = true;
      exitCode = OptionalInt.of(code & CODE_MASK);
      List<Runnable> all = new ArrayList<>(hooks.values());
      List<RankThreads.Running> running = new ArrayList<>();
      for (Runnable hook : all) {
        running.add(rank.threads().begin("shutdown-hook", hook));
      }
      running.forEach(each -> rank.threads().await(each::isOver, Long.MAX_VALUE));
      rank.end(code);
    }
    throw new ProcessEnded("rank " + rank.number() + " has ended");
  }

  @Override
  public void halt(int code) {
    ending = true;
    rank.end(code);
    throw new ProcessEnded("rank " + rank.number() + " has ended");
  }

  @Override
  public void addShutdownHook(String name, Runnable hook) {
    add(new Thread(hook, name), hook);
  }

  void add(Thread key, Runnable hook) {
    if (ending) {
      throw new IllegalStateException("Shutdown in progress");
    }
    hooks.put(key, hook);
  }

  boolean remove(Thread hook) {
    return hooks.remove(hook) != null;
  }

  @Override
  public boolean isEnding() {
    return ending;
  }

  @Override
  public Optional<Integer> signal() {
    return Optional.empty();
  }

  /** Its own end tells the code. */
  @Override
  public void hearExit() {}

  @Override
  public OptionalInt exitCode() {
    return exitCode;
  }

  @Override
  public void say(String line) {
    rank.program().err().println(line);
  }
}
