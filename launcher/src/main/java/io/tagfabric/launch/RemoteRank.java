package io.tagfabric.launch;

import io.tagfabric.launch.agent.AgentFrame;
import io.tagfabric.launch.agent.AgentOutput;
import io.tagfabric.launch.output.TextSink;
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
  private volatile boolean outputEnded;
  private volatile boolean errorsEnded;

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
  public boolean isDrained() {
    return exit.isDone() && outputEnded && errorsEnded;
  }

  void started(long number) {
    pid = number;
  }

  /** Shows what the rank has printed; may wait for the screen. Thread: one for output. */
  void printed(byte[] text) {
    out.accept(text, text.length);
    taken(AgentFrame.Kind.OUT_TAKEN, text);
  }

  /** The same for errors. Thread: one for errors. */
  void complained(byte[] text) {
    err.accept(text, text.length);
    taken(AgentFrame.Kind.ERR_TAKEN, text);
  }

  private void taken(AgentFrame.Kind kind, byte[] text) {
    agent.send(AgentFrame.of(kind, rank, Integer.toString(text.length)));
  }

  void endOutput() {
    if (!outputEnded) {
      out.end();
      outputEnded = true;
    }
  }

  void endErrors() {
    if (!errorsEnded) {
      err.end();
      errorsEnded = true;
    }
  }

  /** The reader of the agent's frames says so; later words do not count. */
  void ended(int code) {
    exit.complete(code);
  }
}
