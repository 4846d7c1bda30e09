package io.tagfabric.job;

import akka.Done;
import akka.actor.CoordinatedShutdown;
import akka.actor.typed.ActorSystem;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.runtime.Membership;
import io.tagfabric.runtime.Threads;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How a rank ends. If all ranks end together, which they mostly do, each just stops: a cluster that
 * is left by all at once takes seconds to agree on that. Otherwise the rank leaves the cluster, so
 * that the others do not take it for lost.
 */
final class RankEnd {
  private enum Reason implements CoordinatedShutdown.Reason {
    JOB_ENDED
  }

  /** How long the others have to come to their end, too. */
  private static final Duration TOGETHER = Duration.ofMillis(300);

  private static final Duration DRAIN_OF_FAILED = Duration.ofMillis(200);

  private final ActorSystem<?> system;
  private final Membership membership;
  private final Threads threads;
  private final boolean ownsSystem;
  private final boolean alone;
  private final Duration timeout;
  private final CompletableFuture<Void> allLeaving;
  private final JobActors actors;
  private final Runnable cleanUp;
  private volatile Runnable beforeClose = () -> {};
  private final AtomicBoolean begun = new AtomicBoolean();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  RankEnd(
      Fabric fabric,
      boolean ownsSystem,
      boolean alone,
      Duration timeout,
      CompletableFuture<Void> allLeaving,
      JobActors actors,
      Runnable cleanUp) {
    system = fabric.system();
    membership = fabric.membership();
    threads = fabric.environment().threads();
    this.ownsSystem = ownsSystem;
    this.alone = alone;
    this.timeout = timeout;
    this.allLeaving = allLeaving;
    this.actors = actors;
    this.cleanUp = cleanUp;
  }

  /** What is done first, while the domain is still open, unless the rank has failed. */
  void beforeClose(Runnable task) {
    beforeClose = task;
  }

  boolean hasBegun() {
    return begun.get();
  }

  void close(Domain domain) {
    if (!begun.compareAndSet(false, true)) {
      threads.await(ended, timeout);
      return;
    }
    try {
      Uninterrupted.run(beforeClose);
      actors.member().tell(JobMember.SayLeaving.INSTANCE);
      domain.close();
      if (ownsSystem) {
        endSystem();
      }
    } finally {
      finish();
    }
  }

  /** All ranks have agreed to end, or had their time for it: nobody is waited for. */
  void exit(Domain domain) {
    if (!begun.compareAndSet(false, true)) {
      threads.await(ended, timeout);
      return;
    }
    try {
      actors.member().tell(JobMember.SayLeaving.INSTANCE);
      FutureTask<Void> closed =
          new FutureTask<>(
              () -> {
                beforeClose.run();
                domain.close(DRAIN_OF_FAILED);
              },
              null);
      threads.start("tagfabric-exit-close", closed);
      threads.await(closed, timeout);
      if (ownsSystem) {
        stopSystem();
      }
    } finally {
      finish();
    }
  }

  /** The ActorSystem has ended without us: only what stands outside of it is left to do. */
  void cutOff() {
    if (begun.compareAndSet(false, true)) {
      finish();
    }
  }

  void abandon(Domain domain) {
    if (!begun.compareAndSet(false, true)) {
      return;
    }
    try {
      actors.member().tell(JobMember.SayLeaving.INSTANCE);
      boolean downed = downSelf();
      domain.close(DRAIN_OF_FAILED);
      endDowned(downed);
    } finally {
      finish();
    }
  }

  /** The same when what the rank has sent is to arrive: that goes first. */
  void fail(Domain domain) {
    if (!begun.compareAndSet(false, true)) {
      threads.await(ended, timeout);
      return;
    }
    try {
      Uninterrupted.run(beforeClose);
      actors.member().tell(JobMember.SayLeaving.INSTANCE);
      domain.close();
      endDowned(downSelf());
    } finally {
      finish();
    }
  }

  private void endDowned(boolean downed) {
    if (ownsSystem && !(downed && threads.await(terminated(), timeout))) {
      stopSystem();
    }
  }

  /** Tells the cluster that this node is lost, which ends it; false if it is no member. */
  private boolean downSelf() {
    Membership.Status status = membership.status();
    boolean isMember = status == Membership.Status.JOINING || status == Membership.Status.MEMBER;
    if (!ownsSystem || alone || !isMember) {
      return false;
    }
    membership.down(membership.self().address());
    return true;
  }

  private void endSystem() {
    if (!alone && !threads.await(allLeaving, TOGETHER)) {
      membership.leave();
      threads.await(CompletableFuture.anyOf(allLeaving, terminated()), timeout);
    }
    stopSystem();
  }

  private void stopSystem() {
    CoordinatedShutdown.get(system)
        .run(Reason.JOB_ENDED, Optional.of(CoordinatedShutdown.PhaseBeforeActorSystemTerminate()));
    threads.await(terminated(), timeout);
  }

  private CompletableFuture<Done> terminated() {
    return system.getWhenTerminated().toCompletableFuture();
  }

  private void finish() {
    try {
      if (!ownsSystem) {
        actors.stop();
      }
      cleanUp.run();
    } finally {
      ended.complete(null);
    }
  }
}
