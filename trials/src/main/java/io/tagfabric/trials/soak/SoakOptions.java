package io.tagfabric.trials.soak;

import io.tagfabric.bench.ours.Providers;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.provider.Reach;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What a soak lets a person choose. */
final class SoakOptions {
  private static final int MOST_KILLS = 30;
  private static final int MOST_CUTS = 1_000_000;

  /** The provider whose connections can be cut. */
  private static final String TCP = "tcp";

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      defaultValue = "local",
      description = "local: within this JVM; another one: between two ranks (default: local).")
  String provider;

  @Option(
      names = "--messages",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Messages in both directions together (default: ${DEFAULT-VALUE}).")
  long messages;

  @Option(
      names = "--unexpected",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Instead, send so many short messages one way to a rank that posts its first receive"
              + " when the sender cannot send more.")
  int unexpected;

  @Option(
      names = "--kills",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Instead, let so many ranks send to one that has each of them killed in the midst of its"
              + " messages, beside one more that sends --messages and stays.")
  int kills;

  @Option(
      names = "--cuts",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Over tcp: cut the connection so many times before each rank, at random places, as a"
              + " firewall does that resets it (default: ${DEFAULT-VALUE}).")
  int cuts;

  @Option(
      names = "--faults",
      paramLabel = "LIST",
      converter = FaultsConverter.class,
      description = "Such as drop=1%%,duplicate=1%%,delay=1%%,reorder=1%% (default: none).")
  Faults faults = Faults.NONE;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of messages, receives and faults (default: ${DEFAULT-VALUE}).")
  int seed;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      converter = ProfileConverter.class,
      description = "How Akka's remoting travels: aeron (default), tcp or tls.")
  Profile profile;

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  boolean isLocal() {
    return Providers.reaches(provider, Reach.JVM);
  }

  /** What is wrong with the options, in one sentence, null if nothing is. */
  String complaint() {
    if (messages < 2 || messages > Integer.MAX_VALUE) {
      return "--messages=" + messages + " is not within 2 to " + Integer.MAX_VALUE;
    }
    if (unexpected < 0) {
      return "--unexpected=" + unexpected + " < 0, give a number of messages";
    }
    if (kills < 0 || kills > MOST_KILLS) {
      return "--kills="
          + kills
          + " is not within 0 to "
          + MOST_KILLS
          + ", each is a JVM of its own";
    }
    if (cuts < 0 || cuts > MOST_CUTS) {
      return "--cuts=" + cuts + " is not within 0 to " + MOST_CUTS;
    }
    if (cuts > 0 && (!provider.equals(TCP) || kills > 0)) {
      return kills > 0
          ? "--cuts=" + cuts + " and --kills=" + kills + " exclude one another"
          : "--cuts=" + cuts + " cuts connections of provider tcp, name --provider tcp";
    }
    if (kills > 0 && (isLocal() || unexpected > 0)) {
      return isLocal()
          ? "--kills=" + kills + " kills ranks, name another --provider, such as shm"
          : "--kills=" + kills + " and --unexpected=" + unexpected + " exclude one another";
    }
    return null;
  }

  /** Messages that one of the two sends. */
  long messagesOf(int index) {
    if (unexpected > 0) {
      return index == 0 ? unexpected : 0;
    }
    return index == 0 ? messages - messages / 2 : messages / 2;
  }

  /** The options as arguments of {@link SoakRank}. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add("--provider=" + provider);
    arguments.add("--messages=" + messages);
    arguments.add("--unexpected=" + unexpected);
    arguments.add("--kills=" + kills);
    arguments.add("--cuts=" + cuts);
    arguments.add("--seed=" + seed);
    if (!faults.isEmpty()) {
      arguments.add("--faults=" + faults);
    }
    if (json) {
      arguments.add("--json");
    }
    return arguments;
  }

  private static final class FaultsConverter implements ITypeConverter<Faults> {
    @Override
    public Faults convert(String text) {
      try {
        return Faults.parse(text);
      } catch (IllegalArgumentException refused) {
        throw new TypeConversionException(refused.getMessage());
      }
    }
  }

  private static final class ProfileConverter implements ITypeConverter<Profile> {
    @Override
    public Profile convert(String text) {
      for (Profile profile : Profile.values()) {
        if (profile.name().toLowerCase(Locale.ROOT).equals(text.toLowerCase(Locale.ROOT))) {
          return profile;
        }
      }
      throw new TypeConversionException("'" + text + "' is unknown, choose aeron, tcp or tls");
    }
  }
}
