package io.tagfabric.job;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.cluster.connect.ConnectSettings;
import io.tagfabric.cluster.job.ExitSettings;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.LossPolicy;
import io.tagfabric.cluster.profile.Profiles;
import io.tagfabric.cluster.settings.ModuleSettings;
import io.tagfabric.cluster.settings.Setting;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.exit.ExitPlan;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.fabric.FabricSettings;
import io.tagfabric.fabric.NodeDeparture;
import io.tagfabric.progress.GuardedMailbox;
import io.tagfabric.runtime.Membership;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The actors of a rank's job and what feeds them.
 *
 * @param member the rank's own
 * @param coordinator that of the job, at rank 0 only
 * @param exit sees to the end of the job
 * @param departures what they are subscribed to the fabric's news with
 */
record JobActors(
    Fabric fabric,
    ActorRef<JobMember.Command> member,
    Optional<ActorRef<JobCoordinator.Command>> coordinator,
    ActorRef<ExitCoordinator.Command> exit,
    Consumer<NodeDeparture> departures) {

  private static final int AGAIN_PER_TIMEOUT = 10;

  /** Spawns them; the member begins to look for the coordinator. */
  static JobActors spawn(
      Fabric fabric,
      JobSpec spec,
      CompletableFuture<RankMap> started,
      CompletableFuture<Void> allLeaving,
      Losses losses,
      JobExit jobExit) {
    ActorSystem<?> system = fabric.system();
    Roster.Applicant applicant = applicant(fabric, spec);
    String seed = seed(fabric, spec);
    Membership membership = fabric.membership();
    ActorRef<ExitCoordinator.Command> exit = spawnExit(fabric, spec, seed, jobExit);
    Optional<ActorRef<JobCoordinator.Command>> coordinator =
        spec.isSeed()
            ? Optional.of(
                system.systemActorOf(
                    JobCoordinator.create(
                        membership,
                        applicant,
                        (rank, node) -> exit.tell(new ExitCoordinator.Came(rank, node))),
                    JobCoordinator.NAME,
                    GuardedMailbox.props()))
            : Optional.empty();
    if (spec.isSeed() && spec.size() > 1) {
      membership.join(seed);
    }
    JobMember.Plan plan =
        new JobMember.Plan(
            applicant,
            seed,
            fabric.environment().mail(system),
            spec.isSeed() ? () -> {} : () -> membership.join(seed),
            fabric.settings().get(JobSettings.START_TIMEOUT),
            started,
            allLeaving,
            new JobMember.Listener() {
              @Override
              public void onFormed(List<EndpointAddress> addresses) {
                exit.tell(new ExitCoordinator.Formed(addresses));
              }

              @Override
              public void onGone(int rank, boolean orderly, boolean leaving) {
                exit.tell(new ExitCoordinator.RankGone(rank, orderly || leaving));
                if (!orderly && !leaving) {
                  losses.add(rank);
                }
              }

              @Override
              public void onLeaving() {
                exit.tell(ExitCoordinator.Leaving.INSTANCE);
              }

              @Override
              public void onDead(String node) {
                membership.down(node);
              }
            });
    ActorRef<JobMember.Command> member =
        system.systemActorOf(JobMember.create(plan), JobMember.NAME, GuardedMailbox.props());
    Consumer<NodeDeparture> departures =
        gone -> {
          member.tell(
              new JobMember.NodeGone(
                  gone.node(), gone.incarnation(), gone.orderly(), gone.detail()));
          coordinator.ifPresent(
              actor -> actor.tell(new JobCoordinator.NodeGone(gone.node(), gone.incarnation())));
        };
    fabric.onNodeDeparture(departures);
    jobExit.begun().thenAccept(notice -> member.tell(new JobMember.Ending(notice)));
    return new JobActors(fabric, member, coordinator, exit, departures);
  }

  private static ActorRef<ExitCoordinator.Command> spawnExit(
      Fabric fabric, JobSpec spec, String seed, JobExit jobExit) {
    Settings settings = fabric.settings();
    long timeoutNs = ExitSettings.timeout(settings, spec.size()).toNanos();
    ExitPlan plan =
        new ExitPlan(
            spec.rank(),
            spec.size(),
            settings.get(ExitSettings.CODE),
            timeoutNs,
            settings.get(ExitSettings.HOOK_TIMEOUT).toNanos(),
            timeoutNs / AGAIN_PER_TIMEOUT,
            settings.get(ExitSettings.ON_LOSS) == LossPolicy.ABORT);
    ActorRef<ExitCoordinator.Command> exit =
        fabric
            .system()
            .systemActorOf(
                ExitCoordinator.create(
                    new ExitCoordinator.Plan(
                        plan,
                        seed,
                        new ExitHold(spec.rank(), settings, fabric.environment()),
                        jobExit::onBegun,
                        jobExit::onDecided)),
                ExitCoordinator.NAME,
                GuardedMailbox.propsOn(ExitCoordinator.DISPATCHER));
    jobExit.attach(exit);
    return exit;
  }

  /** Ends them; those of a system that ends need not be ended. */
  void stop() {
    fabric.removeNodeDepartureListener(departures);
    var classic = Adapter.toClassic(fabric.system());
    classic.stop(Adapter.toClassic(member));
    classic.stop(Adapter.toClassic(exit));
    coordinator.ifPresent(actor -> classic.stop(Adapter.toClassic(actor)));
  }

  private static Roster.Applicant applicant(Fabric fabric, JobSpec spec) {
    Map<String, String> agreed = new TreeMap<>();
    Stream.of(FabricSettings.ALL, ConnectSettings.ALL, ExitSettings.ALL)
        .forEach(settings -> addAgreed(agreed, fabric.settings(), settings));
    ServiceLoader.load(ModuleSettings.class, ModuleSettings.class.getClassLoader())
        .forEach(module -> addAgreed(agreed, fabric.settings(), module.settings()));
    agreed.put("protocols", fabric.environment().protocols().toString());
    return new Roster.Applicant(
        spec.rank(),
        spec.size(),
        fabric.membership().self().address(),
        fabric.incarnation(),
        HostIdentity.of(fabric.settings().get(JobSettings.LOCALITY), spec.host()),
        fabric.environment().process().identity(),
        agreed);
  }

  /** As read and written again: 64 KiB is 65536. */
  private static void addAgreed(
      Map<String, String> agreed, Settings values, List<Setting<?>> settings) {
    settings.stream()
        .filter(Setting::mustAgree)
        .forEach(setting -> agreed.put(setting.fullKey(), written(values, setting)));
  }

  private static <T> String written(Settings values, Setting<T> setting) {
    return values.find(setting).map(setting::write).orElse("");
  }

  /** The node of rank 0. */
  static String seed(Fabric fabric, JobSpec spec) {
    return spec.isSeed()
        ? fabric.membership().self().address()
        : Profiles.seedAddress(spec).replaceFirst("//[^@]*@", "//" + fabric.system().name() + "@");
  }
}
