package io.tagfabric.collective.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tagfabric.collective.algorithm.Dissemination;
import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.SendListener;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.tag.TaggedMessage;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Compares what members call, before they do it: each sends a description of its call along the
 * ways of a {@link Dissemination}, and compares what it gets. The ways connect all members, so if
 * two calls differ somewhere, two neighbours differ.
 */
final class SignatureCheck {
  private static final int MAX_LENGTH = 1024;

  private final TeamPort port;
  private final long tag;
  private final String own;
  private final Runnable onEqual;
  private final Consumer<TeamFailure> onDifferent;
  private final Dissemination partners;
  private final Set<Object> underWay = new HashSet<>();
  private boolean over;

  SignatureCheck(
      TeamPort port, long tag, String own, Runnable onEqual, Consumer<TeamFailure> onDifferent) {
    this.port = port;
    this.tag = tag;
    this.own = own;
    this.onEqual = onEqual;
    this.onDifferent = onDifferent;
    this.partners = new Dissemination(port.members().rank(), port.members().size());
  }

  void start() {
    UnsafeBuffer text = new UnsafeBuffer(own.getBytes(UTF_8));
    for (int round = 0; round < partners.rounds(); round++) {
      Receiving receiving = new Receiving(partners.from(round));
      underWay.add(receiving);
      port.receive(partners.from(round), tag, MAX_LENGTH, receiving);
      Sending sending = new Sending(partners.to(round));
      underWay.add(sending);
      port.send(partners.to(round), tag, text, 0, text.capacity(), sending);
    }
  }

  void abandon() {
    over = true;
    underWay.forEach(port::cancel);
    underWay.clear();
  }

  private void ended(Object transfer) {
    if (!over && underWay.remove(transfer) && underWay.isEmpty()) {
      over = true;
      onEqual.run();
    }
  }

  private void fail(TeamFailure failure) {
    if (!over) {
      abandon();
      onDifferent.accept(failure);
    }
  }

  private final class Receiving implements ReceiveListener {
    private final int from;

    Receiving(int from) {
      this.from = from;
    }

    @Override
    public void onReceived(TaggedMessage message) {
      String theirs = new String(message.payload().array(), UTF_8);
      if (theirs.equals(own)) {
        ended(this);
      } else {
        fail(
            new TeamFailure(
                from,
                FabricError.INVALID,
                "calls ["
                    + theirs
                    + "] where rank "
                    + port.members().rank()
                    + " calls ["
                    + own
                    + "], call the same everywhere"));
      }
    }

    @Override
    public void onFailed(Completion.Failed failure) {
      fail(port.failure(from, failure));
    }
  }

  private final class Sending implements SendListener {
    private final int to;

    Sending(int to) {
      this.to = to;
    }

    @Override
    public void onSent(Completion.Sent sent) {
      ended(this);
    }

    @Override
    public void onFailed(Completion.Failed failure) {
      fail(port.failure(to, failure));
    }
  }
}
