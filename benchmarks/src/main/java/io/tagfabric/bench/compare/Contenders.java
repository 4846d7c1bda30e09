package io.tagfabric.bench.compare;

import io.tagfabric.bench.compare.Group.Reach;
import io.tagfabric.bench.compare.JobContender.Plays;
import io.tagfabric.bench.ours.Providers;
import io.tagfabric.bench.ours.RankMain;
import io.tagfabric.bench.ours.RmaWorkload;
import io.tagfabric.bench.ours.WorkloadOptions;
import io.tagfabric.bench.peer.AeronPeer;
import io.tagfabric.bench.peer.JGroupsPeer;
import io.tagfabric.bench.peer.SelectorPeer;
import io.tagfabric.cluster.job.Profile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All contenders, ours and the peers, and which of them compete. */
final class Contenders {
  private static final int RANK_START_MS = 4_000;

  /** Artery's longest frame is 256 KiB, envelope included; plain Akka does not split messages. */
  private static final int AKKA_MOST_BYTES = 255 * 1024;

  private static final int LONG_LEAST_BYTES = 64 * 1024;
  private static final int PEER_START_MS = 2_000;

  private final ProgramFinder finder;
  private final Optional<Namespaces> namespaces;

  /** All of them, on one host. */
  Contenders(ProgramFinder finder) {
    this(finder, Optional.empty());
  }

  /**
   * @param finder finds programs of this machine
   * @param namespaces where both sides of each run; empty for this host as it is
   */
  Contenders(ProgramFinder finder, Optional<Namespaces> namespaces) {
    this.finder = finder;
    this.namespaces = namespaces;
  }

  /**
   * Which of them compete: like with like in reach and transport; between namespaces only those
   * whose transports reach other hosts.
   */
  List<Group> groups() {
    List<Group> groups = new ArrayList<>();
    if (namespaces.isEmpty()) {
      groups.add(oneHost());
    }
    List<Contender> network = List.of(openMpi(MpiLibrary.TCP), aeronUdp(), epoll(), selector());
    groups.add(
        network(
            Providers.betweenHosts().stream()
                .flatMap(provider -> Stream.of(betweenHosts(provider), directMemory(provider)))
                .toList(),
            network));
    groups.add(network(List.of(artery(Profile.TCP)), List.of(akka(Profile.TCP))));
    groups.add(network(List.of(artery(Profile.AERON)), List.of(akka(Profile.AERON))));
    return groups;
  }

  private Group oneHost() {
    List<Contender> sameHost =
        List.of(
            openMpi(MpiLibrary.SHARED_MEMORY),
            mpich(),
            mpj(),
            jgroups(),
            akka(Profile.TCP),
            aeronIpc());
    // matching knows nothing of transports and threads: once is enough
    return new Group(
        List.of(
            ours(Providers.SHM, "manual", true),
            ours(Providers.SHM, "auto", false),
            fabricMemory(),
            region()),
        sameHost,
        Reach.ONE_HOST);
  }

  private Group network(List<Contender> ours, List<Contender> peers) {
    return new Group(ours, peers, namespaces.isPresent() ? Reach.NAMESPACES : Reach.BETWEEN_HOSTS);
  }

  /**
   * One of ours by its provider and its mode of progress.
   *
   * @param matches whether it shows how it matches
   */
  static Contender ours(String provider, String progress, boolean matches) {
    return ours(
        provider, progress, matches ? Plays.TAGGED_MESSAGES : Plays.MESSAGES, Optional.empty());
  }

  /** One of ours that reaches other hosts. */
  private Contender betweenHosts(String provider) {
    return ours(provider, "manual", Plays.MESSAGES_AND_WAKES, namespaces);
  }

  private static Contender ours(
      String provider, String progress, Plays plays, Optional<Namespaces> namespaces) {
    boolean manual = progress.equals("manual");
    return ranks(
        manual ? provider : provider + "-" + progress,
        "Tagfabric over "
            + provider
            + ", progress "
            + progress
            + (manual ? ", one thread has the domain for itself" : ""),
        Optional.ofNullable(Providers.complaint(provider)),
        plays,
        0,
        Integer.MAX_VALUE,
        Profile.TCP,
        List.of(
            "--provider=" + provider,
            "--progress=" + progress,
            "--thread-use=" + (manual ? "one" : "any")),
        namespaces);
  }

  /** The same with messages outside the heap; of interest where these are long. */
  private Contender directMemory(String provider) {
    return ranks(
        provider + "-direct",
        "Tagfabric over "
            + provider
            + " from and into memory outside the heap, progress manual, one thread has the domain"
            + " for itself",
        Optional.ofNullable(Providers.complaint(provider)),
        Plays.MESSAGES,
        LONG_LEAST_BYTES,
        Integer.MAX_VALUE,
        Profile.TCP,
        List.of(
            "--provider=" + provider, "--progress=manual", "--thread-use=one", "--memory=direct"),
        namespaces);
  }

  /** Ours with messages in memory that both ranks reach; of interest where these are long. */
  private static Contender fabricMemory() {
    return ranks(
        "shm-fabric",
        "Tagfabric over shm from and into fabric memory, progress manual",
        Optional.ofNullable(Providers.complaint(Providers.SHM)),
        Plays.MESSAGES,
        LONG_LEAST_BYTES,
        Integer.MAX_VALUE,
        Profile.TCP,
        List.of("--provider=shm", "--progress=manual", "--thread-use=one", "--memory=fabric"),
        Optional.empty());
  }

  /** Ours with memory that the other rank accesses. */
  private static Contender region() {
    return new JobContender(
        "shm-region",
        "Tagfabric over shm, accesses to a region of fabric memory",
        Optional.ofNullable(Providers.complaint(Providers.SHM)),
        Plays.ACCESSES,
        0,
        Integer.MAX_VALUE,
        RANK_START_MS,
        Profile.TCP,
        RmaWorkload.class.getName(),
        List::of);
  }

  private Contender artery(Profile profile) {
    return ranks(
        "artery-" + transport(profile),
        "Tagfabric over Artery " + transport(profile) + ", progress manual",
        Optional.empty(),
        Plays.MESSAGES_AND_WAKES,
        0,
        Integer.MAX_VALUE,
        profile,
        List.of("--provider=artery", "--progress=manual"),
        namespaces);
  }

  private Contender akka(Profile profile) {
    return ranks(
        "akka-" + transport(profile),
        "Akka Artery " + transport(profile) + ", plain typed actors",
        Optional.empty(),
        Plays.MESSAGES,
        0,
        AKKA_MOST_BYTES,
        profile,
        List.of("--provider=artery", "--progress=manual", "--akka"),
        namespaces);
  }

  private static String transport(Profile profile) {
    return profile == Profile.AERON ? "udp" : "tcp";
  }

  private static Contender ranks(
      String name,
      String description,
      Optional<String> missing,
      Plays plays,
      int leastBytes,
      int mostBytes,
      Profile profile,
      List<String> options,
      Optional<Namespaces> namespaces) {
    List<String> arguments = new ArrayList<>(List.of(WorkloadOptions.WORK));
    arguments.addAll(options);
    return new JobContender(
        name,
        description,
        missing,
        plays,
        leastBytes,
        mostBytes,
        RANK_START_MS,
        profile,
        RankMain.class.getName(),
        () -> arguments,
        namespaces);
  }

  private static Contender aeronIpc() {
    return new JobContender(
        "aeron-ipc",
        "raw Aeron over shared memory",
        Optional.empty(),
        Plays.MESSAGES,
        0,
        Integer.MAX_VALUE,
        PEER_START_MS,
        Profile.AERON,
        AeronPeer.class.getName(),
        () -> List.of("ipc"));
  }

  private Contender aeronUdp() {
    return new JobContender(
        "aeron-udp",
        "raw Aeron over UDP, driver invoked",
        Optional.empty(),
        Plays.MESSAGES,
        0,
        Integer.MAX_VALUE,
        PEER_START_MS,
        Profile.TCP,
        AeronPeer.class.getName(),
        this::udpEnds,
        namespaces);
  }

  private List<String> udpEnds() {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    String here = loopback.getHostAddress();
    try (DatagramSocket first = new DatagramSocket(0, loopback);
        DatagramSocket second = new DatagramSocket(0, loopback)) {
      // what is free here is all but sure to be free in a namespace
      return List.of(
          "udp",
          namespaces.map(both -> both.address(0)).orElse(here),
          Integer.toString(first.getLocalPort()),
          namespaces.map(both -> both.address(1)).orElse(here),
          Integer.toString(second.getLocalPort()));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private Contender epoll() {
    return new EpollContender(finder, namespaces);
  }

  private Contender selector() {
    return new JobContender(
        "java-selector",
        "Java over TCP, asleep in a Selector",
        Optional.empty(),
        Plays.WAKES,
        0,
        Integer.MAX_VALUE,
        PEER_START_MS,
        Profile.TCP,
        SelectorPeer.class.getName(),
        List::of,
        namespaces);
  }

  private static Contender jgroups() {
    return new JobContender(
        "jgroups-tcp",
        "JGroups over TCP, minimal stack",
        Optional.empty(),
        Plays.MESSAGES,
        0,
        Integer.MAX_VALUE,
        PEER_START_MS,
        Profile.TCP,
        JGroupsPeer.class.getName(),
        List::of);
  }

  private Contender openMpi(String transport) {
    return new MpiContender(new OpenMpi(finder), transport, namespaces);
  }

  private Contender mpich() {
    return new MpiContender(new Mpich(finder), MpiLibrary.SHARED_MEMORY);
  }

  private Contender mpj() {
    return new Mpj(finder);
  }
}
