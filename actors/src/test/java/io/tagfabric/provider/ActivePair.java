package io.tagfabric.provider;

import akka.actor.typed.ActorSystem;
import io.tagfabric.active.ActiveCall;
import io.tagfabric.active.ActiveHandler;
import io.tagfabric.active.ActiveMessages;
import io.tagfabric.active.ActiveReply;
import io.tagfabric.fabric.Domain;
import io.tagfabric.flow.window.ActiveSettings;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.progress.ProgressMode;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;

/** Two sides with active messages: `near` asks, `far` has the handlers. */
abstract class ActivePair extends TwoSides {
  static final int HANDLER = 7;
  static final int FLOOD = 300;
  static final ActiveHandler ECHO = call -> call.reply(arguments(call), call.payload());

  ActiveMessages asking;
  ActiveMessages asked;

  ActivePair(ContractSystems systems, ProgressMode mode) {
    super(systems, mode);
  }

  @BeforeEach
  void open() {
    near = side(systems.near(), "near");
    far = side(systems.far(), "far");
    meet();
  }

  @Override
  void meet() {
    super.meet();
    asking = near.endpoint.active();
    asked = far.endpoint.active();
  }

  Side side(ActorSystem<?> system, String name) {
    Domain domain = domain(system);
    return new Side(domain, name, Side.QUEUE_SIZE, domain.endpointDefaults());
  }

  static int[] arguments(ActiveCall call) {
    return IntStream.range(0, call.argumentCount()).map(call::argument).toArray();
  }

  static int[] arguments(ActiveReply reply) {
    return IntStream.range(0, reply.argumentCount()).map(reply::argument).toArray();
  }

  void await(CompletableFuture<?> future) {
    until("a future is done", future::isDone);
  }

  Side with(ActorSystem<?> system, String name, int credits, int total, int slack) {
    Domain domain = domain(system);
    EndpointSettings settings = domain.endpointDefaults();
    ActiveSettings active = settings.active().withCredits(credits, total, slack);
    return new Side(domain, name, Side.QUEUE_SIZE, settings.withActive(active));
  }

  /** Both sides with as little credit as can be. */
  void openWithOneCredit() {
    near = with(systems.near(), "near1", 1, 1, 7);
    far = with(systems.far(), "far1", 1, 1, 7);
    meet();
  }

  void awaitThat(BooleanSupplier condition, String what) {
    until(what, condition);
  }
}
