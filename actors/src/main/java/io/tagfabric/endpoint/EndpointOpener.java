package io.tagfabric.endpoint;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import io.tagfabric.address.AddressTable;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.complete.CompletionOutbox;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.error.FabricError;
import io.tagfabric.kryo.KryoCodec;
import io.tagfabric.match.InboundTransfer;
import io.tagfabric.match.ReceiveContext;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TransferListener;
import io.tagfabric.path.PathSettings;
import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.progress.ProgressFutures;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.provider.Provider;
import io.tagfabric.provider.WireContext;
import io.tagfabric.provider.WireListener;
import io.tagfabric.wire.FrameBatchPool;
import io.tagfabric.wire.FrameOrigin;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * Opens the endpoints of one domain: spawns their actors on the domain's dispatcher and opens their
 * wires.
 *
 * @param system the ActorSystem
 * @param spawner spawns an actor on the domain's dispatcher under a name
 * @param loop the domain's
 * @param mode who makes progress
 * @param futures the domain's
 * @param addresses the domain's peers
 * @param pool the domain's batches
 * @param objects the system's Kryo codec
 * @param incarnation uid of the ActorSystem
 * @param vm identifies the JVM
 * @param jobKey the job
 * @param partitionKey the partition
 * @param knownAlive whether membership says that an address's node is reachable
 */
public record EndpointOpener(
    ActorSystem<?> system,
    BiConsumer<Behavior<Object>, String> spawner,
    ProgressLoop loop,
    ProgressMode mode,
    ProgressFutures futures,
    AddressTable addresses,
    FrameBatchPool pool,
    KryoCodec objects,
    long incarnation,
    String vm,
    UUID jobKey,
    int partitionKey,
    Predicate<EndpointAddress> knownAlive) {

  /**
   * Opens an endpoint. The future drives the loop when waited for.
   *
   * @param number of the endpoint in its ActorSystem
   * @param providers best first
   */
  public ProgressFuture<Endpoint> open(
      int number,
      String name,
      EndpointSettings settings,
      List<Provider> providers,
      CompletionQueue transmitQueue,
      CompletionQueue receiveQueue) {
    Plan plan = new Plan(number, name, settings, providers, transmitQueue, receiveQueue);
    spawner.accept(EndpointActor.create(plan), "endpoint-" + number);
    return plan.future;
  }

  private record Transfers(ActorRef<Object> endpoint) implements TransferListener {
    @Override
    public void onMatched(InboundTransfer transfer) {
      endpoint.tell(transfer);
    }

    @Override
    public void onAborted(FrameOrigin origin, long message, FabricError error) {
      endpoint.tell(new EndpointActor.TransferAborted(origin, message, error));
    }

    @Override
    public void onFailed(RuntimeException failure) {
      endpoint.tell(new EndpointActor.Failed(failure));
    }
  }

  private final class Plan implements EndpointPlan {
    private final ProgressFuture<Endpoint> future = futures.create();
    private final int number;
    private final String name;
    private final EndpointSettings settings;
    private final List<Provider> providers;
    private final CompletionQueue transmitQueue;
    private final CompletionQueue receiveQueue;
    private EndpointAddress address;
    private Endpoint opened;
    private final CompletionOutbox receiveCompletions;
    private ReceiveContext receives;

    Plan(
        int number,
        String name,
        EndpointSettings settings,
        List<Provider> providers,
        CompletionQueue transmitQueue,
        CompletionQueue receiveQueue) {
      this.number = number;
      this.name = name;
      this.settings = settings;
      this.providers = providers;
      this.transmitQueue = transmitQueue;
      this.receiveQueue = receiveQueue;
      this.receiveCompletions = receiveQueue.outbox();
    }

    @Override
    public ProgressLoop loop() {
      return loop;
    }

    @Override
    public EndpointSettings settings() {
      return settings;
    }

    @Override
    public CompletionQueue transmitQueue() {
      return transmitQueue;
    }

    @Override
    public Behavior<TagMatcher.Command> matcher(ActorRef<Object> endpoint) {
      receives =
          new ReceiveContext(
              settings.maxUnexpectedClasses(), receiveCompletions, new Transfers(endpoint));
      return TagMatcher.create(receives, receiveCompletions);
    }

    @Override
    public ReceiveContext receives() {
      return receives;
    }

    @Override
    public CompletionOutbox receiveCompletions() {
      return receiveCompletions;
    }

    @Override
    public EndpointCore core(ActorRef<Object> inbox, WireListener listener, EndpointOutput output) {
      Settings all = Settings.of(system.settings().config());
      PathSettings paths = PathSettings.of(all);
      WireTable wires =
          WireTable.open(
              providers,
              new WireContext(
                  system, loop, incarnation, number, vm, inbox, pool, listener, paths.count()),
              new PathTable(paths, all.get(JobSettings.RANK) + number));
      address =
          new EndpointAddress(
              incarnation, number, name, system.address().toString(), vm, wires.addresses());
      var registrations = objects.registrations();
      EndpointIdentity identity =
          new EndpointIdentity(
              address,
              jobKey,
              partitionKey,
              registrations.fingerprint(),
              registrations.describe(),
              registrations::difference);
      return new EndpointCore(
          new EndpointContext(
              identity,
              addresses,
              wires,
              settings.flow(),
              pool,
              loop.timers(),
              loop.time(),
              knownAlive),
          output);
    }

    @Override
    public void opened(
        ActorRef<Object> endpoint, ActorRef<TagMatcher.Command> matcher, SendEntry sends) {
      DirectEntry entry =
          new DirectEntry(loop, mode, sends, new ReceiveEntry(receives, receiveCompletions));
      opened =
          new Endpoint(
              endpoint.narrow(),
              matcher,
              entry,
              address,
              settings,
              transmitQueue,
              receiveQueue,
              futures,
              objects);
      future.complete(opened);
    }

    @Override
    public void closing() {
      opened.closing();
    }

    @Override
    public void ended(Endpoint.Closed report) {
      opened.ended(report);
    }

    @Override
    public void stopped() {
      opened.asks().stop();
    }

    @Override
    public void failed(RuntimeException failure) {
      future.completeExceptionally(failure);
    }
  }
}
