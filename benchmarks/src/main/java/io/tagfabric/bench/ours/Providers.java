package io.tagfabric.bench.ours;

import io.tagfabric.provider.Provider;
import io.tagfabric.provider.Reach;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The providers of this build. */
public final class Providers {
  /** The one that is measured without ranks, unless another is named. */
  static final String LOCAL = "local";

  /** The one that is measured between ranks, unless another is named. */
  public static final String SHM = "shm";

  /** Their names, as candidates of an option. */
  public static final class Names extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    /** All of them. */
    public Names() {
      super(names());
    }
  }

  private Providers() {}

  /** Their names, the nearest reach first. */
  public static List<String> names() {
    return Provider.installed().stream().map(Provider::name).toList();
  }

  /** The names of those that reach other hosts by sockets of their own. */
  public static List<String> betweenHosts() {
    return with(Reach.NETWORK).map(Provider::name).toList();
  }

  /** Whether there is a provider of this name, and it reaches so far. */
  public static boolean reaches(String name, Reach reach) {
    return with(reach).anyMatch(provider -> provider.name().equals(name));
  }

  private static Stream<Provider> with(Reach reach) {
    return Provider.installed().stream()
        .filter(provider -> provider.capabilities().reach() == reach);
  }

  /** Why a provider cannot be measured here, in one sentence; null if it can. */
  public static String complaint(String name) {
    List<String> names = names();
    return names.contains(name)
        ? null
        : "--provider=" + name + " is missing, this build has " + String.join(", ", names);
  }

  /** Why a provider cannot be measured between ranks here, in one sentence; null if it can. */
  public static String complaintOfRanks(String name) {
    if (!reaches(name, Reach.JVM)) {
      return complaint(name);
    }
    return Provider.installed().stream()
        .filter(provider -> provider.capabilities().reach() != Reach.JVM)
        .map(Provider::name)
        .collect(Collectors.joining(", ", "--provider=" + name + " has no ranks, choose of ", ""));
  }
}
