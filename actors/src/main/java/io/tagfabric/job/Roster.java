package io.tagfabric.job;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.FabricSettings;
import io.tagfabric.provider.Provider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The ranks that have come to a job: one entry a rank, filled until all are there. Owned by rank 0.
 */
final class Roster {
  /** Keys of settings whose values no refusal shows: a process that knows them can join the job. */
  private static final Set<String> NEVER_TOLD =
      Set.of(JobSettings.KEY.fullKey(), FabricSettings.PARTITION_KEY.fullKey());

  /**
   * A rank as it presents itself.
   *
   * @param node address of its ActorSystem
   * @param incarnation uid of that system
   * @param host what tells its host from others
   * @param process what tells its process from others of that host, empty if that is not known
   * @param agreed the settings that all ranks must have the same, by key
   */
  record Applicant(
      int rank,
      int size,
      String node,
      long incarnation,
      String host,
      String process,
      Map<String, String> agreed) {}

  private final Applicant[] applicants;
  private final EndpointAddress[] addresses;
  private final boolean[] up;
  private final boolean[] gone;
  private final Applicant own;
  private final List<Provider> providers = Provider.installed();

  /** A roster with rank 0 as the measure of all others. */
  Roster(Applicant own) {
    this.own = own;
    applicants = new Applicant[own.size()];
    addresses = new EndpointAddress[own.size()];
    up = new boolean[own.size()];
    gone = new boolean[own.size()];
  }

  /**
   * Enters a rank; the same one may come again.
   *
   * @throws FabricException if it does not belong here; the text is for the person who started it
   */
  void enroll(Applicant applicant) {
    if (applicant.size() != own.size()) {
      throw new FabricException(
          FabricError.INVALID,
          "size="
              + applicant.size()
              + " != size="
              + own.size()
              + " of rank 0, give all ranks the same TAGFABRIC_JOB_SIZE");
    }
    if (applicant.rank() < 0 || applicant.rank() >= own.size()) {
      throw new FabricException(
          FabricError.INVALID, "rank=" + applicant.rank() + " is not within size=" + own.size());
    }
    List<String> differing = differences(applicant.agreed());
    if (!differing.isEmpty()) {
      throw new FabricException(
          FabricError.INVALID,
          "settings differ from those of rank 0, give all ranks the same: "
              + String.join(", ", differing));
    }
    Applicant known = applicants[applicant.rank()];
    if (known != null && known.incarnation() != applicant.incarnation()) {
      throw new FabricException(
          FabricError.ADDRESS_IN_USE,
          "rank="
              + applicant.rank()
              + " is taken by "
              + known.node()
              + (gone[applicant.rank()]
                  ? ", which the job has had and lost: it cannot be replaced, start the job again"
                  : ", give each rank a TAGFABRIC_JOB_RANK of its own"));
    }
    applicants[applicant.rank()] = applicant;
  }

  private List<String> differences(Map<String, String> theirs) {
    List<String> differing = new ArrayList<>();
    TreeSet<String> keys = new TreeSet<>(own.agreed().keySet());
    keys.addAll(theirs.keySet());
    for (String key : keys) {
      String here = own.agreed().getOrDefault(key, "");
      String there = theirs.getOrDefault(key, "");
      if (!here.equals(there)) {
        differing.add(
            NEVER_TOLD.contains(key) ? key + " differs" : key + "=" + there + " != " + here);
      }
    }
    return differing;
  }

  /**
   * Notes where an enrolled rank's endpoint is.
   *
   * @throws FabricException if the network there is not like that of the ranks before; the text is
   *     for the person who started it
   */
  void ready(int rank, EndpointAddress address) {
    for (int other = 0; other < addresses.length; other++) {
      if (other != rank && addresses[other] != null) {
        requireFit(rank, address, other); // which fits those before
        break;
      }
    }
    addresses[rank] = address;
  }

  private void requireFit(int rank, EndpointAddress address, int other) {
    for (Provider provider : providers) {
      String own = address.providers().get(provider.name());
      String theirs = addresses[other].providers().get(provider.name());
      Optional<String> misfit =
          own == null || theirs == null ? Optional.empty() : provider.misfit(own, theirs);
      if (misfit.isPresent()) {
        throw new FabricException(
            FabricError.INVALID, "ranks " + rank + " and " + other + " have " + misfit.get());
      }
    }
  }

  /** Notes that a node is up in the cluster. */
  void up(String node, long incarnation) {
    int rank = rankOf(node, incarnation);
    if (rank >= 0) {
      up[rank] = true;
    }
  }

  /** Notes that a rank is gone for good. */
  void gone(int rank) {
    gone[rank] = true;
  }

  /** The rank on a node, -1 if none has enrolled from there. */
  int rankOf(String node, long incarnation) {
    for (int rank = 0; rank < applicants.length; rank++) {
      Applicant applicant = applicants[rank];
      if (applicant != null
          && applicant.incarnation() == incarnation
          && applicant.node().equals(node)) {
        return rank;
      }
    }
    return -1;
  }

  /** Whether this very rank has enrolled. */
  boolean isEnrolled(int rank, long incarnation) {
    return rank >= 0
        && rank < applicants.length
        && applicants[rank] != null
        && applicants[rank].incarnation() == incarnation;
  }

  /** Whether all ranks are ready and up. */
  boolean isComplete() {
    for (int rank = 0; rank < addresses.length; rank++) {
      if (addresses[rank] == null || !up[rank]) {
        return false;
      }
    }
    return true;
  }

  /** What keeps the job from starting: each rank that is not ready, and how far it has come. */
  Map<Integer, Stage> missing() {
    Map<Integer, Stage> missing = new TreeMap<>();
    for (int rank = 0; rank < applicants.length; rank++) {
      if (applicants[rank] == null) {
        missing.put(rank, Stage.ABSENT);
      } else if (addresses[rank] == null) {
        missing.put(rank, Stage.OPENING);
      } else if (!up[rank]) {
        missing.put(rank, Stage.JOINING);
      }
    }
    return missing;
  }

  /** All ranks; complete rosters only. */
  RankMap ranks() {
    return RankMap.of(
        List.of(addresses),
        Arrays.stream(applicants).map(Applicant::host).toList(),
        Arrays.stream(applicants).map(Applicant::process).toList());
  }

  /** How far a rank has come. */
  enum Stage {
    /** Has not said anything. */
    ABSENT("has not come"),
    /** Has enrolled. */
    OPENING("opens its endpoint"),
    /** Has opened its endpoint but is not up in the cluster. */
    JOINING("joins the cluster");

    private final String words;

    Stage(String words) {
      this.words = words;
    }

    /** For people. */
    String words() {
      return words;
    }
  }
}
