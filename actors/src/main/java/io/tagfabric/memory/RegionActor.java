package io.tagfabric.memory;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import io.tagfabric.error.FabricException;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;

/** A region for actors; runs on the domain's loop. */
final class RegionActor extends AbstractBehavior<Region.Command> {
  /** Who watched has ended. */
  record Gone(ActorRef<? super Region.Answer> watcher) implements Region.Command {}

  private final Region region;
  private final RegionDesk desk;

  private RegionActor(ActorContext<Region.Command> context, Region region) {
    super(context);
    this.region = region;
    desk = new RegionDesk(region);
  }

  static Behavior<Region.Command> create(Region region) {
    return Behaviors.setup(context -> new RegionActor(context, region));
  }

  @Override
  public Receive<Region.Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Region.Read.class, this::onRead)
        .onMessage(Region.Write.class, this::onWrite)
        .onMessage(Region.Atomic.class, this::onAtomic)
        .onMessage(Region.Watch.class, this::onWatch)
        .onMessage(Region.Close.class, this::onClose)
        .onMessage(Gone.class, this::onGone)
        .build();
  }

  private Behavior<Region.Command> onRead(Region.Read read) {
    return answer(
        read.replyTo(),
        () -> new Region.Bytes(read.offset(), desk.read(read.offset(), read.length())));
  }

  private Behavior<Region.Command> onWrite(Region.Write write) {
    return answer(
        write.replyTo(),
        () -> {
          desk.write(write.offset(), write.bytes());
          return new Region.Written(write.offset());
        });
  }

  private Behavior<Region.Command> onAtomic(Region.Atomic atomic) {
    return answer(
        atomic.replyTo(),
        () -> {
          long offset = atomic.offset();
          DirectBuffer old =
              desk.update(offset, atomic.op(), atomic.kind(), atomic.operands(), atomic.compares());
          return new Region.Bytes(offset, old);
        });
  }

  private Behavior<Region.Command> answer(
      ActorRef<? super Region.Answer> replyTo, Supplier<Region.Answer> access) {
    Region.Answer answer;
    try {
      answer = access.get();
    } catch (FabricException e) {
      answer = new Region.Refused(e.error(), e.getMessage());
    }
    replyTo.tell(answer);
    return this;
  }

  private Behavior<Region.Command> onWatch(Region.Watch watch) {
    getContext().watchWith(watch.replyTo(), new Gone(watch.replyTo()));
    region.watchers().add(watch.replyTo()::tell, watch.replyTo());
    return this;
  }

  private Behavior<Region.Command> onGone(Gone gone) {
    region.watchers().remove(gone.watcher());
    return this;
  }

  private Behavior<Region.Command> onClose(Region.Close close) {
    region
        .close(close.drainTimeout())
        .thenRun(() -> close.replyTo().tell(new Region.Closed(region.key())));
    return this;
  }
}
