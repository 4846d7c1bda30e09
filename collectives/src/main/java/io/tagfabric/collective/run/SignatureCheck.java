package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Dissemination;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Compares what members call, before they do it: each sends a hash of its call along the ways of a
 * {@link Dissemination}, and compares what it gets. The ways connect all members, so if two calls
 * differ somewhere, two neighbours differ.
 */
final class SignatureCheck implements Transfers.Owner {
  private final TeamPort port;
  private final long epoch;
  private final long own;
  private final Runnable onEqual;
  private final IntConsumer onDifferent;
  private final Consumer<TeamFailure> onFailed;
  private final Transfers transfers;
  private boolean differs;

  /**
   * Prepares it.
   *
   * @param onEqual runs when all that this member compares is equal
   * @param onDifferent runs with a member that calls something else
   */
  SignatureCheck(
      TeamPort port,
      CallRun run,
      Runnable onEqual,
      IntConsumer onDifferent,
      Consumer<TeamFailure> onFailed) {
    this.port = port;
    this.epoch = run.epoch();
    this.own = run.signature().hash();
    this.onEqual = onEqual;
    this.onDifferent = onDifferent;
    this.onFailed = onFailed;
    this.transfers = new Transfers(port, this);
  }

  void start() {
    Dissemination partners = new Dissemination(port.members().rank(), port.members().size());
    UnsafeBuffer hash = new UnsafeBuffer(new byte[Long.BYTES]);
    hash.putLong(0, own, ByteOrder.LITTLE_ENDIAN);
    for (int round = 0; round < partners.rounds(); round++) {
      int from = partners.from(round);
      transfers
          .from(from, Long.BYTES, bytes -> compare(from, bytes), null)
          .begin(epoch, TeamPort.CHECK_LANE);
      transfers.to(partners.to(round), null).begin(epoch, TeamPort.CHECK_LANE, hash, 0, Long.BYTES);
    }
  }

  private void compare(int from, DirectBuffer bytes) {
    if (bytes.getLong(0, ByteOrder.LITTLE_ENDIAN) != own) {
      differs = true;
      onDifferent.accept(from);
    }
  }

  void abandon() {
    transfers.abandon();
  }

  @Override
  public void onAllEnded() {
    if (!differs) {
      onEqual.run();
    }
  }

  @Override
  public void onFailed(TeamFailure failure) {
    onFailed.accept(failure);
  }
}
