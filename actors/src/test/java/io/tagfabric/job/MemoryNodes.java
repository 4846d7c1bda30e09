package io.tagfabric.job;

import akka.actor.BootstrapSetup;
import akka.actor.setup.ActorSystemSetup;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.Serialization;
import akka.serialization.SerializationExtension;
import akka.serialization.SerializerWithStringManifest;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.Protocols;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.profile.Profiles;
import io.tagfabric.fabric.FabricSettings;
import io.tagfabric.runtime.Environment;
import io.tagfabric.runtime.EnvironmentSetup;
import io.tagfabric.runtime.Mail;
import io.tagfabric.runtime.Membership;
import io.tagfabric.runtime.MembershipNotice;
import io.tagfabric.runtime.MembershipNotice.News;
import io.tagfabric.runtime.NodeId;
import io.tagfabric.runtime.ProcessEnded;
import io.tagfabric.runtime.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/**
 * Nodes without Akka Cluster and without remoting: what a node hears of the others is what a test
 * says, and mail is bytes that are handed over.
 */
final class MemoryNodes {
  /** What the variables of each node set. */
  static final String CLAIM_TIMEOUT = "1234 ms";

  /** A node; its environment makes the ActorSystem. */
  final class Node implements Environment, Membership, Mail {
    private final JobSpec spec;
    private final NodeId self;
    private final MemoryProcess process = new MemoryProcess();
    private final List<ActorRef<MembershipNotice>> subscribers = new ArrayList<>();
    private final TreeSet<String> deaf = new TreeSet<>();
    private ActorSystem<?> system;
    private Status status = Status.OUTSIDE;
    private Protocols protocols = Protocols.OWN;

    private Node(JobSpec spec, NodeId self) {
      this.spec = spec;
      this.self = self;
    }

    @Override
    public Optional<ActorSystem<?>> createSystem(
        Behavior<?> guardian, JobSpec spec, Config application) {
      Config config =
          ConfigFactory.parseString("akka.actor.provider = local")
              .withFallback(Profiles.akkaConfig(spec, application));
      system = create(guardian, config);
      return Optional.of(system);
    }

    private <T> ActorSystem<T> create(Behavior<T> guardian, Config config) {
      return ActorSystem.create(
          guardian,
          "node",
          ActorSystemSetup.create(BootstrapSetup.create(config), new EnvironmentSetup(this)));
    }

    /** It is of another build; before its system is created. */
    Node speaks(Protocols others) {
      protocols = others;
      return this;
    }

    @Override
    public Protocols protocols() {
      return protocols;
    }

    @Override
    public Membership membership(ActorSystem<?> of) {
      return this;
    }

    @Override
    public Mail mail(ActorSystem<?> of) {
      return this;
    }

    @Override
    public MemoryProcess process() {
      return process;
    }

    @Override
    public Map<String, String> variables() {
      Map<String, String> variables = spec.toEnvironment();
      variables.put(FabricSettings.CLAIM_TIMEOUT.variable(), CLAIM_TIMEOUT);
      return variables;
    }

    /** The rank's threads end with its process when they wait. */
    @Override
    public Threads threads() {
      Threads jvm = Environment.REAL.threads();
      return new Threads() {
        @Override
        public Thread start(String name, boolean daemon, Runnable task) {
          return jvm.start(name, daemon, () -> ignoringTheEnd(task));
        }

        @Override
        public boolean await(Future<?> future, Duration timeout) {
          return jvm.await(future, timeout);
        }

        @Override
        public void await(Thread thread) {
          jvm.await(thread);
        }

        @Override
        public <T> T join(CompletableFuture<T> future) {
          CompletableFuture.anyOf(future.handle((done, failure) -> done), process.ended()).join();
          if (!future.isDone()) {
            throw new ProcessEnded("ended meanwhile");
          }
          return future.join();
        }
      };
    }

    // ---- membership ----

    @Override
    public NodeId self() {
      return self;
    }

    @Override
    public Status status() {
      synchronized (nodes) {
        return status;
      }
    }

    @Override
    public void subscribe(ActorRef<MembershipNotice> subscriber) {
      synchronized (nodes) {
        subscribers.add(subscriber);
        nodes.values().stream()
            .filter(node -> node.status == Status.MEMBER)
            .forEach(node -> subscriber.tell(new MembershipNotice(node.self, News.UP)));
      }
    }

    @Override
    public void join(String seed) {
      synchronized (nodes) {
        if (status == Status.OUTSIDE) {
          status = Status.MEMBER;
          tellAll(self.address(), News.UP);
        }
      }
    }

    @Override
    public void leave() {
      tellAll(self.address(), News.LEFT);
    }

    @Override
    public void down(String address) {
      tellAll(address, News.DOWNED);
    }

    @Override
    public void keepMajority(int size, String seed) {
      // Nothing cuts these nodes off from one another but the test.
    }

    private void hear(MembershipNotice notice) {
      if (!deaf.contains(notice.node().address())) {
        subscribers.forEach(subscriber -> subscriber.tell(notice));
      }
    }

    // ---- mail ----

    @Override
    public void tell(String node, String actor, Object message) {
      Node there;
      synchronized (nodes) {
        there = nodes.get(node);
      }
      if (there == null || there.system == null) {
        return;
      }
      Serialization here = SerializationExtension.get(Adapter.toClassic(system));
      var serializer = (SerializerWithStringManifest) here.findSerializerFor(message);
      byte[] bytes = serializer.toBinary(message);
      Object read =
          SerializationExtension.get(Adapter.toClassic(there.system))
              .deserialize(bytes, serializer.identifier(), serializer.manifest(message))
              .get();
      Adapter.toClassic(there.system)
          .actorSelection("/system/" + actor)
          .tell(read, akka.actor.ActorRef.noSender());
    }

    @Override
    public String write(ActorRef<?> ref) {
      String local = ActorRefResolver.get(system).toSerializationFormat(ref);
      return self.address() + local.substring(local.indexOf("/system/"));
    }

    @Override
    public ActorRef<?> read(String text) {
      int path = text.indexOf("/system/");
      Node there;
      synchronized (nodes) {
        there = nodes.get(text.substring(0, path));
      }
      return ActorRefResolver.get(there.system)
          .resolveActorRef("akka://node" + text.substring(path));
    }
  }

  private final Map<String, Node> nodes = new LinkedHashMap<>();

  private static void ignoringTheEnd(Runnable task) {
    try {
      task.run();
    } catch (ProcessEnded ended) {
      // that is how the thread ends
    }
  }

  /** A node of a rank, which is not there yet. */
  Node add(JobSpec spec, long incarnation) {
    Node node =
        new Node(spec, new NodeId("akka://node@" + spec.host() + ":" + spec.port(), incarnation));
    synchronized (nodes) {
      nodes.put(node.self.address(), node);
    }
    return node;
  }

  /** A node hears nothing of another any more. */
  void deafen(Node node, Node to) {
    synchronized (nodes) {
      node.deaf.add(to.self.address());
    }
  }

  /** All nodes hear of one. */
  void tellAll(String address, News news) {
    synchronized (nodes) {
      NodeId of = nodes.get(address).self;
      nodes.values().forEach(node -> node.hear(new MembershipNotice(of, news)));
    }
  }
}
