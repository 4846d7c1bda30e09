package io.tagfabric.progress;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.javadsl.Adapter;
import akka.dispatch.Dispatcher;
import akka.dispatch.DispatcherPrerequisites;
import akka.dispatch.ExecutorServiceFactory;
import akka.dispatch.ExecutorServiceFactoryProvider;
import akka.dispatch.MessageDispatcher;
import akka.dispatch.MessageDispatcherConfigurator;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.annotation.InternalApi;
import java.util.List;
import java.util.Map;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import scala.concurrent.duration.Duration;
import scala.concurrent.duration.FiniteDuration;

/**
 * Makes a {@link ProgressLoop} the dispatcher of a domain's actors: their mailboxes run inside its
 * passes and nowhere else.
 *
 * <p>Registered at run time, one for each domain, so a domain needs no entry in the configuration.
 * Akka shuts a dispatcher's executor down whenever it has had no actors for a while and asks for it
 * again later; a loop outlives that, so shutting down does nothing here.
 */
@InternalApi
public final class ProgressDispatcher extends MessageDispatcherConfigurator {
  private static final int MESSAGES_PER_MAILBOX_RUN = 64;
  private static final FiniteDuration SHUTDOWN_TIMEOUT = FiniteDuration.create(1, TimeUnit.SECONDS);

  private final MessageDispatcher dispatcher;

  private ProgressDispatcher(String id, ProgressLoop loop, DispatcherPrerequisites prerequisites) {
    super(config(id, prerequisites), prerequisites);
    ExecutorService executor = new LoopExecutor(loop);
    dispatcher =
        new Dispatcher(
            this,
            id,
            MESSAGES_PER_MAILBOX_RUN,
            Duration.Zero(),
            new LoopExecutorProvider(executor),
            SHUTDOWN_TIMEOUT) {};
  }

  /**
   * Registers a dispatcher that runs on {@code loop}.
   *
   * @param id unique in the ActorSystem; the first registration of an id wins
   * @return the selector to spawn the domain's actors with
   * @throws IllegalStateException if the id is taken
   */
  public static DispatcherSelector register(ActorSystem<?> system, String id, ProgressLoop loop) {
    var dispatchers = Adapter.toClassic(system).dispatchers();
    boolean registered =
        dispatchers.registerConfigurator(
            id, new ProgressDispatcher(id, loop, dispatchers.prerequisites()));
    if (!registered) {
      throw new IllegalStateException(
          "dispatcher id [" + id + "] is taken, give the domain another name");
    }
    return DispatcherSelector.fromConfig(id);
  }

  @Override
  public MessageDispatcher dispatcher() {
    return dispatcher;
  }

  /** Akka reads mailbox settings of every dispatcher, therefore the defaults lie below. */
  private static Config config(String id, DispatcherPrerequisites prerequisites) {
    return ConfigFactory.parseMap(Map.of("id", id))
        .withFallback(prerequisites.settings().config().getConfig("akka.actor.default-dispatcher"));
  }

  private record LoopExecutorProvider(ExecutorService executor)
      implements ExecutorServiceFactoryProvider {
    @Override
    public ExecutorServiceFactory createExecutorServiceFactory(String id, ThreadFactory factory) {
      return () -> executor;
    }
  }

  private static final class LoopExecutor extends AbstractExecutorService {
    private final ProgressLoop loop;

    LoopExecutor(ProgressLoop loop) {
      this.loop = loop;
    }

    @Override
    public void execute(Runnable mailbox) {
      loop.execute(mailbox);
    }

    @Override
    public void shutdown() {
      // The loop belongs to the domain, not to Akka's idea of an idle dispatcher.
    }

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return false;
    }
  }
}
