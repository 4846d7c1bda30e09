package io.tagfabric.collective.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tagfabric.collective.algorithm.Dissemination;
import io.tagfabric.error.FabricError;
import io.tagfabric.tag.TaggedMessage;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Compares what members call, before they do it: each sends a description of its call along the
 * ways of a {@link Dissemination}, and compares what it gets. The ways connect all members, so if
 * two calls differ somewhere, two neighbours differ.
 */
final class SignatureCheck implements Transfers.Owner {
  private static final int MAX_LENGTH = 1024;

  private final TeamPort port;
  private final TeamPort.Lane lane;
  private final String own;
  private final Runnable onEqual;
  private final Consumer<TeamFailure> onDifferent;
  private final Transfers transfers;

  SignatureCheck(TeamPort port, CallRun run, Runnable onEqual, Consumer<TeamFailure> onDifferent) {
    this.port = port;
    this.lane = TeamPort.Lane.ofCheck(run.epoch());
    this.own = run.call().signature(run.shape());
    this.onEqual = onEqual;
    this.onDifferent = onDifferent;
    this.transfers = new Transfers(port, this);
  }

  void start() {
    Dissemination partners = new Dissemination(port.members().rank(), port.members().size());
    UnsafeBuffer text = new UnsafeBuffer(own.getBytes(UTF_8));
    for (int round = 0; round < partners.rounds(); round++) {
      int from = partners.from(round);
      transfers.receive(from, lane, MAX_LENGTH, message -> compare(from, message));
      transfers.send(partners.to(round), lane, text, 0, text.capacity());
    }
  }

  private TeamFailure compare(int from, TaggedMessage message) {
    String theirs = new String(message.payload().array(), UTF_8);
    return theirs.equals(own)
        ? null
        : TeamFailure.atFault(
            from,
            FabricError.INVALID,
            "calls ["
                + theirs
                + "] where rank "
                + port.members().rank()
                + " calls ["
                + own
                + "], call the same everywhere");
  }

  void abandon() {
    transfers.abandon();
  }

  @Override
  public void onAllEnded() {
    onEqual.run();
  }

  @Override
  public void onFailed(TeamFailure failure) {
    onDifferent.accept(failure);
  }
}
