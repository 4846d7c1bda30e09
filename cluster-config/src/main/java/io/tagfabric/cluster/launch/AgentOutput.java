package io.tagfabric.cluster.launch;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Writes frames to the other side, which may be gone. Thread: any. */
final class AgentOutput {
  private final DataOutputStream out;
  private boolean gone;

  AgentOutput(OutputStream out) {
    this.out = new DataOutputStream(new BufferedOutputStream(out));
  }

  /** Writes a text as it is. */
  synchronized void write(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  /** Sends a frame; that nobody reads it shows in what is read from the other side. */
  synchronized void send(AgentFrame frame) {
    if (gone) {
      return;
    }
    try {
      frame.write(out);
      out.flush();
    } catch (IOException broken) {
      gone = true;
    }
  }

  /** A sink whose text is sent as frames about a rank. */
  TextSink sink(AgentFrame.Kind kind, int rank) {
    return new TextSink() {
      @Override
      public void accept(byte[] bytes, int length) {
        send(new AgentFrame(kind, rank, Arrays.copyOf(bytes, length)));
      }

      @Override
      public void end() {
        // that the rank has ended says so
      }
    };
  }
}
