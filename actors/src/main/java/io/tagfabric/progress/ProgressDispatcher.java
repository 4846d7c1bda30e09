package io.tagfabric.progress;

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
 * <p>Registered at run time, so a domain needs no entry in the configuration. Akka shuts a
 * dispatcher's executor down whenever it has had no actors for a while and asks for it again later;
 * a loop outlives that, so shutting down does nothing here.
 *
 * <p>Thread: {@link ProgressDispatchers} gives it to one domain after the other, each time before
 * an actor is on it.
 */
@InternalApi
public final class ProgressDispatcher extends MessageDispatcherConfigurator {
  private static final int MESSAGES_PER_MAILBOX_RUN = 64;
  private static final FiniteDuration SHUTDOWN_TIMEOUT = FiniteDuration.create(1, TimeUnit.SECONDS);

  private final String id;
  private final LoopExecutor executor = new LoopExecutor();
  private final MessageDispatcher dispatcher;

  ProgressDispatcher(String id, DispatcherPrerequisites prerequisites) {
    super(config(id, prerequisites), prerequisites);
    this.id = id;
    dispatcher =
        new Dispatcher(
            this,
            id,
            MESSAGES_PER_MAILBOX_RUN,
            Duration.Zero(),
            new LoopExecutorProvider(executor),
            SHUTDOWN_TIMEOUT) {};
  }

  /** Key by which actors are spawned on it, unique in the ActorSystem. */
  public String id() {
    return id;
  }

  /** Whether no actor is on it. */
  boolean isEmpty() {
    return dispatcher.inhabitants() == 0;
  }

  void runOn(ProgressLoop loop) {
    executor.loop = loop;
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
    private ProgressLoop loop;

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
