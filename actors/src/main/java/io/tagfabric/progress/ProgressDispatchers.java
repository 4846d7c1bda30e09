package io.tagfabric.progress;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.dispatch.Dispatchers;
import io.tagfabric.annotation.InternalApi;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Dispatchers of an ActorSystem's domains. Akka keeps a dispatcher for good once it is registered,
 * so one whose domain has closed is taken again by the next: there are as many as there were ever
 * domains at once. Thread: any.
 */
@InternalApi
public final class ProgressDispatchers {
  private static final String ID = "tagfabric.domain-";

  private final Dispatchers dispatchers;
  private final List<ProgressDispatcher> free = new ArrayList<>();
  private int registered;

  public ProgressDispatchers(ActorSystem<?> system) {
    dispatchers = Adapter.toClassic(system).dispatchers();
  }

  /** One that runs on {@code loop} until it is given back. */
  public synchronized ProgressDispatcher take(ProgressLoop loop) {
    for (Iterator<ProgressDispatcher> each = free.iterator(); each.hasNext(); ) {
      ProgressDispatcher dispatcher = each.next();
      if (dispatcher.isEmpty()) {
        each.remove();
        dispatcher.runOn(loop);
        return dispatcher;
      }
    }
    registered++;
    ProgressDispatcher dispatcher =
        new ProgressDispatcher(ID + registered, dispatchers.prerequisites());
    dispatcher.runOn(loop);
    if (!dispatchers.registerConfigurator(dispatcher.id(), dispatcher)) {
      throw new IllegalStateException("dispatcher id [" + dispatcher.id() + "] is taken");
    }
    return dispatcher;
  }

  /** Its domain has closed; actors that are about to end still run on the loop of that domain. */
  public synchronized void giveBack(ProgressDispatcher dispatcher) {
    free.add(dispatcher);
  }
}
