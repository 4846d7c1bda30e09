package io.tagfabric.launch.agent;

import io.tagfabric.launch.output.StreamWriter;
import java.io.OutputStream;
import java.time.Duration;

/**
 * Writes frames to the other side, which may be gone; that it is shows in what is read from it.
 * Nobody waits for the connection: an order to end a rank must not stand behind a full pipe. What
 * ranks print is held back by {@link AgentSink}. Thread: any.
 */
public final class AgentOutput {
  private final StreamWriter out;

  public AgentOutput(OutputStream out, String name) {
    this.out = StreamWriter.start(out, broken -> {}, System::nanoTime, name);
  }

  /** Writes a text as it is. */
  public void write(byte[] bytes) {
    out.force(bytes);
  }

  public void send(AgentFrame frame) {
    out.force(frame.bytes());
  }

  /** Waits until all is written, as long as the connection takes it. */
  public void drain(Duration patience) throws InterruptedException {
    out.drain(patience);
  }
}
