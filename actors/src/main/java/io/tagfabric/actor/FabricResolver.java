package io.tagfabric.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import io.tagfabric.actor.twin.FabricRef;
import io.tagfabric.actor.twin.NearActors;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Akka's resolver, whose references to actors of other nodes become twins once {@link FabricActors}
 * is open. Thread: any.
 */
final class FabricResolver extends ActorRefResolver {
  private static final Logger LOG = LoggerFactory.getLogger(FabricActors.class);
  private static final long PATIENCE_S = 20;

  private final ActorRefResolver akka;
  private final CompletableFuture<RefNode> opening = new CompletableFuture<>();
  private final boolean withSystem;
  private volatile RefNode node;
  private volatile Thread opener;
  private volatile boolean hasSentGuardian;

  /**
   * The resolver of a system.
   *
   * @param withSystem whether references of this system are opened with it
   */
  FabricResolver(ActorSystem<?> system, boolean withSystem) {
    akka = ActorRefResolver.createExtension(system);
    this.withSystem = withSystem;
  }

  /** The system has started as far as an extension can see. */
  static void started(ActorSystem<?> system) {
    if (ActorRefResolver.get(system) instanceof FabricResolver own && own.withSystem) {
      own.openNow(system);
    }
  }

  private void openNow(ActorSystem<?> system) {
    opener = Thread.currentThread();
    try {
      FabricActors.get(system);
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("references stay Akka's own, over its remoting: {}", e.toString());
      opening.completeExceptionally(e);
    } finally {
      opener = null;
    }
  }

  /** The references of a system are open. */
  static void open(ActorSystem<?> system, RefNode node) {
    if (ActorRefResolver.get(system) instanceof FabricResolver own) {
      own.node = node;
      own.opening.complete(node);
    }
  }

  /** Whether the reference of a system's guardian, which has no uid, was written for others. */
  static boolean hasSentGuardian(ActorSystem<?> system) {
    return ActorRefResolver.get(system) instanceof FabricResolver own && own.hasSentGuardian;
  }

  @Override
  public <T> String toSerializationFormat(ActorRef<T> ref) {
    String text = akka.toSerializationFormat(ref);
    if (NearActors.isGuardian(text) && NearActors.isLocal(Adapter.toClassic(ref))) {
      hasSentGuardian = true;
    }
    return text;
  }

  @Override
  public <T> ActorRef<T> resolveActorRef(String text) {
    RefNode known = node;
    FabricRef quick = known == null ? null : known.quickTwin(text);
    if (quick != null) {
      return Adapter.toTyped(quick);
    }
    ActorRef<T> own = akka.resolveActorRef(text);
    akka.actor.ActorRef classic = Adapter.toClassic(own);
    if (NearActors.isLocal(classic) || NearActors.isInternal(classic)) {
      return own;
    }
    RefNode open = known == null ? await() : known;
    return open != null && open.brought(classic) instanceof FabricRef twin
        ? Adapter.toTyped(twin)
        : own;
  }

  /** While the system starts, messages of others may be there already. */
  private RefNode await() {
    if (!withSystem || opener == Thread.currentThread()) {
      return null;
    }
    try {
      return opening.get(PATIENCE_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } catch (ExecutionException | TimeoutException e) {
      return null;
    }
  }
}
