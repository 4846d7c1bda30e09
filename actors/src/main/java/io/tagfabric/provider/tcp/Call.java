package io.tagfabric.provider.tcp;

import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.progress.LoopTimers;
import io.tagfabric.provider.tcp.line.Line;
import io.tagfabric.provider.tcp.line.Ready;
import io.tagfabric.provider.tcp.line.Tls;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import javax.net.ssl.SSLException;

/** A dial to a peer, until its connection serves or has failed. Thread: the domain's loop. */
final class Call implements Ready {
  private enum Step {
    CONNECT,
    SECURE,
    ANSWER,
    GO,
    OVER
  }

  /** A refusal comes sooner than this, and a system does not give up before. */
  private static final long PATIENCE_NS = 2_000_000_000L;

  private final TcpNode node;
  private final TcpPeer peer;
  private final Line line;
  private final long beganNs;
  private Step step = Step.CONNECT;
  private LoopTimers.Timer deadline;
  private ByteBuffer wanted;
  private byte[] dial;
  private byte[] answer;
  private byte[] finish;
  private int key;

  private Call(TcpNode node, TcpPeer peer, Line line) {
    this.node = node;
    this.peer = peer;
    this.line = line;
    beganNs = node.nanoTime();
  }

  /** Dials a peer whose address is known; what comes of it is told later. */
  static Call to(TcpPeer peer, TcpNode node) throws IOException {
    Call call = new Call(node, peer, node.lineTo(peer.route().address()));
    try {
      call.connect();
    } catch (IOException | RuntimeException e) {
      node.poller().soon(() -> call.fail(e));
    }
    return call;
  }

  private void connect() throws IOException {
    deadline = node.later(node.settings().dialTimeoutNs(), this::onDeadline);
    node.doors().bind(line.socket(), peer.route().way());
    boolean connected = line.socket().connect(peer.route().place());
    node.poller()
        .register(line.socket(), connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, this);
    if (connected) {
      onConnected();
    }
  }

  @Override
  public int onReady() {
    try {
      do {
        goOn();
      } while (step != Step.OVER && line.holds());
    } catch (IOException e) {
      fail(e);
    }
    return 1;
  }

  private void goOn() throws IOException {
    switch (step) {
      case CONNECT -> {
        if (line.socket().finishConnect()) {
          node.poller().register(line.socket(), SelectionKey.OP_READ, this);
          onConnected();
        }
      }
      case SECURE -> secure();
      case ANSWER -> {
        if (hasRead()) {
          onAnswer();
        }
      }
      case GO -> {
        if (hasRead()) {
          onGo();
        }
      }
      case OVER -> {}
    }
  }

  private void fail(Exception e) {
    // The system says so too when its own patience ends, which tells nothing of the peer.
    boolean late = node.nanoTime() - beganNs >= PATIENCE_NS;
    boolean refused = e instanceof ConnectException && step == Step.CONNECT && !late;
    fail(refused ? Failure.Kind.REFUSED : Failure.Kind.UNKNOWN, reason(e));
  }

  private static String reason(Exception e) {
    return e instanceof SSLException ? "TLS with it fails: " + Tls.reason(e) : "" + e.getMessage();
  }

  private void onConnected() throws IOException {
    deadline.cancel();
    deadline = node.later(TcpNode.ANSWER_NS, this::onDeadline);
    step = Step.SECURE;
    secure();
  }

  private void secure() throws IOException {
    if (node.poller().isMade(line, this)) {
      dial = Proof.dial(node.proofs(), peer.dial(), node.random(), node.random());
      Line.write(line, dial);
      expect(Step.ANSWER, Proof.ANSWER_BYTES);
    }
  }

  private void expect(Step next, int bytes) {
    step = next;
    wanted = ByteBuffer.allocate(bytes);
  }

  private boolean hasRead() throws IOException {
    if (line.read(wanted) < 0) {
      throw new IOException(
          "the other side has closed the connection; something else may listen there, or its"
              + " tagfabric.job.key is another");
    }
    return !wanted.hasRemaining();
  }

  private void onAnswer() throws IOException {
    answer = wanted.array();
    key = Proof.keyOfAnswer(node.proofs(), dial, answer);
    if (key == KeyProof.NO_KEY) {
      fail(Failure.Kind.UNKNOWN, "what listens there does not prove this job's key");
      return;
    }
    Proof.Answer said = Proof.readAnswer(answer);
    if (said.status() == Proof.ANOTHER) {
      fail(Failure.Kind.DENIED, "another node listens there now");
    } else if (said.status() != Proof.WELCOME || !peer.mayGoOn(said.stream())) {
      fail(Failure.Kind.DENIED, "the peer has given the connection up");
    } else {
      finish = Proof.position(node.proofs(), key, peer.leave(), dial, answer);
      peer.agrees();
      Line.write(line, finish);
      expect(Step.GO, Proof.POSITION_BYTES);
    }
  }

  private void onGo() {
    byte[] go = wanted.array();
    if (!Proof.isPosition(node.proofs(), key, go, dial, answer, finish)) {
      fail(Failure.Kind.UNKNOWN, "what listens there does not prove this job's key");
      return;
    }
    step = Step.OVER;
    deadline.cancel();
    peer.attach(line, Proof.readPosition(go), Proof.readAnswer(answer).stream(), true);
  }

  private void onDeadline() {
    fail(
        Failure.Kind.UNKNOWN,
        "no answer within " + (node.nanoTime() - beganNs) / 1_000_000 + " ms");
  }

  private void fail(Failure.Kind kind, String reason) {
    if (step != Step.OVER) {
      close();
      peer.onCallFailed(this, new Failure(kind, reason));
    }
  }

  /** Ends it, without a word to its peer. */
  void close() {
    step = Step.OVER;
    if (deadline != null) {
      deadline.cancel();
    }
    node.poller().close(line);
  }
}
