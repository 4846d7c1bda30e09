package io.tagfabric.provider.tcp;

import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.progress.LoopTimers;
import io.tagfabric.provider.tcp.line.Line;
import io.tagfabric.provider.tcp.line.Ready;
import io.tagfabric.provider.tcp.line.Tls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLException;

/**
 * A connection that somebody has made to this node, until it serves or is closed. It hears nothing
 * before it has proved the job's key, and nothing here changes before it has proved that it is
 * there now. Thread: the domain's loop.
 */
final class Guest implements Ready {
  private enum Step {
    DIAL,
    FINISH,
    OVER
  }

  private final TcpNode node;
  private final Line line;
  private LoopTimers.Timer deadline;
  private Step step = Step.DIAL;
  private ByteBuffer wanted = ByteBuffer.allocate(Proof.DIAL_BYTES);
  private byte[] dial;
  private byte[] answer;
  private Proof.Dial said;

  /** Whether it waits for the outcome of this node's own call to the same peer. */
  private boolean held;

  private boolean made;
  private int key;

  private Guest(TcpNode node, Line line) {
    this.node = node;
    this.line = line;
    deadline = node.later(TcpNode.GUEST_NS, this::onDeadline);
  }

  /** Takes a connection that was accepted. */
  static Guest at(TcpNode node, SocketChannel socket) throws IOException {
    Guest guest = new Guest(node, node.lineFrom(socket));
    node.poller().register(socket, SelectionKey.OP_READ, guest);
    return guest;
  }

  @Override
  public int onReady() {
    try {
      made = made || node.poller().isMade(line, this);
      boolean goesOn = made;
      while (goesOn) {
        read();
        goesOn = step != Step.OVER && line.holds();
      }
    } catch (SSLException e) {
      close();
      node.guests().strangers().warn(() -> "a connection is closed, TLS: " + Tls.reason(e));
    } catch (IOException e) {
      close();
    }
    return 1;
  }

  private void read() throws IOException {
    int read = line.read(held ? ByteBuffer.allocate(1) : wanted);
    if (read < 0 || (held && read > 0)) {
      close(); // while it is held it may say nothing
    } else if (!held && !wanted.hasRemaining()) {
      onMessage();
    }
  }

  private void onMessage() throws IOException {
    if (step == Step.DIAL) {
      onDial();
    } else if (step == Step.FINISH) {
      onFinish();
    }
  }

  private void onDial() throws IOException {
    dial = wanted.array();
    key = Proof.keyOfDial(node.proofs(), dial);
    if (key == KeyProof.NO_KEY) {
      close();
      node.guests()
          .strangers()
          .warn(() -> "a connection that does not prove this job's key is closed");
      return;
    }
    said = Proof.readDial(dial);
    if (!holds()) {
      answer();
    }
  }

  /**
   * Whether this node's own call to the same peer decides first. Of two nodes that dial each other
   * only the higher one holds, so one of the two connections is made, and only one.
   */
  private boolean holds() {
    held = node.peers().dialsItself(said);
    if (held) {
      deadline.cancel();
    }
    return held;
  }

  /** Whether this waits for the outcome of a call to a peer. */
  boolean isHeldFor(TcpPeer peer) {
    return held && isFor(peer);
  }

  /** Whether this may become the connection with a peer, or might have. */
  boolean isFor(TcpPeer peer) {
    return said != null && said.from().equals(peer.id());
  }

  /** The call has failed: this connection is the one that serves. */
  void goOn() {
    held = false;
    deadline = node.later(TcpNode.GUEST_NS, this::onDeadline);
    try {
      if (step == Step.DIAL) {
        answer();
      } else {
        finish();
      }
    } catch (IOException e) {
      close();
    }
  }

  private void answer() throws IOException {
    Proof.Answer answered = node.peers().answerTo(said);
    answer = Proof.answer(node.proofs(), key, dial, answered, node.random(), node.random());
    Line.write(line, answer);
    if (answered.status() == Proof.WELCOME) {
      step = Step.FINISH;
      wanted = ByteBuffer.allocate(Proof.POSITION_BYTES);
    } else {
      close();
    }
  }

  private void onFinish() throws IOException {
    byte[] finish = wanted.array();
    if (!Proof.isPosition(node.proofs(), key, finish, dial, answer)) {
      close();
      node.guests()
          .strangers()
          .warn(() -> "a connection whose dial is not of this moment is closed");
      return;
    }
    if (!holds()) {
      finish();
    }
  }

  private void finish() throws IOException {
    byte[] finish = wanted.array();
    Proof.Answer answered = Proof.readAnswer(answer);
    TcpPeer peer = node.peers().peerOf(said, answered);
    if (peer == null) {
      close(); // what it wanted to go on has ended meanwhile
      return;
    }
    long position = peer.leave();
    Line.write(line, Proof.position(node.proofs(), key, position, dial, answer, finish));
    step = Step.OVER;
    deadline.cancel();
    node.guests().remove(this);
    peer.attach(line, Proof.readPosition(finish), said.stream(), false);
  }

  private void onDeadline() {
    close();
    node.guests()
        .strangers()
        .warn(
            () ->
                "a connection that has proved nothing within "
                    + TcpNode.GUEST_NS / 1_000_000
                    + " ms is closed");
  }

  /** Ends it, without a word. */
  void close() {
    if (step != Step.OVER) {
      step = Step.OVER;
      deadline.cancel();
      node.poller().close(line);
      node.guests().remove(this);
      node.peers().onGone(this);
    }
  }
}
