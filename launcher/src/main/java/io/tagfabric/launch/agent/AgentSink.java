package io.tagfabric.launch.agent;

import io.tagfabric.launch.output.TextSink;
import java.util.Arrays;
import java.util.concurrent.Semaphore;

/**
 * Sends what a rank prints as frames, but no more of it than its launcher has shown. So a screen
 * that takes nothing holds up the rank, and not the connection, which has more to carry.
 */
public final class AgentSink implements TextSink {
  static final int ROOM_BYTES = 256 * 1024;

  private final AgentOutput launcher;
  private final AgentFrame.Kind kind;
  private final int rank;
  private final Semaphore room = new Semaphore(ROOM_BYTES);

  public AgentSink(AgentOutput launcher, AgentFrame.Kind kind, int rank) {
    this.launcher = launcher;
    this.kind = kind;
    this.rank = rank;
  }

  @Override
  public void accept(byte[] bytes, int length) {
    room.acquireUninterruptibly(length);
    launcher.send(new AgentFrame(kind, rank, Arrays.copyOf(bytes, length)));
  }

  /** The launcher has shown so many bytes. */
  public void taken(int bytes) {
    room.release(bytes);
  }

  @Override
  public void end() {
    // a frame says so for both streams of the rank
  }
}
