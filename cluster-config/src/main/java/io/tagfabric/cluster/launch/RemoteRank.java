package io.tagfabric.cluster.launch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A rank of an agent. */
final class RemoteRank implements RankHandle {
  private final int rank;
  private final AgentOutput agent;
  private final TextSink out;
  private final TextSink err;
  private final CompletableFuture<Integer> exit = new CompletableFuture<>();
  private volatile long pid;

  RemoteRank(int rank, AgentOutput agent, TextSink out, TextSink err) {
    this.rank = rank;
    this.agent = agent;
    this.out = out;
    this.err = err;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public long pid() {
    return pid;
  }

  @Override
  public boolean isAlive() {
    return !exit.isDone();
  }

  @Override
  public CompletionStage<Integer> onExit() {
    return exit;
  }

  @Override
  public void terminate() {
    agent.send(AgentFrame.of(AgentFrame.Kind.TERMINATE, rank));
  }

  @Override
  public void kill() {
    agent.send(AgentFrame.of(AgentFrame.Kind.KILL, rank));
  }

  @Override
  public void drain() {
    // an agent says that a rank has ended after all that it has printed
  }

  void started(long number) {
    pid = number;
  }

  void printed(byte[] text) {
    out.accept(text, text.length);
  }

  void complained(byte[] text) {
    err.accept(text, text.length);
  }

  /** The reader of the agent's frames says so; later words do not count. */
  void ended(int code) {
    if (!exit.isDone()) {
      out.end();
      err.end();
      exit.complete(code);
    }
  }
}
