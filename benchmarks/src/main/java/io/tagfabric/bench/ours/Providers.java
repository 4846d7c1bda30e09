package io.tagfabric.bench.ours;

import io.tagfabric.provider.Provider;
import java.util.List;
import java.util.ServiceLoader;

/** The providers of this build. */
public final class Providers {
  /** The one that stays within a JVM. */
  static final String LOCAL = "local";

  /** The one between JVMs of one host. */
  public static final String SHM = "shm";

  /** The one that travels by Akka's remoting. */
  static final String ARTERY = "artery";

  private Providers() {}

  /** Their names, sorted. */
  public static List<String> names() {
    return ServiceLoader.load(Provider.class, Provider.class.getClassLoader()).stream()
        .map(provider -> provider.get().name())
        .sorted()
        .toList();
  }

  /** Why a provider cannot be measured here, in one sentence; null if it can. */
  public static String complaint(String name) {
    List<String> names = names();
    return names.contains(name)
        ? null
        : "--provider=" + name + " is missing, this build has " + String.join(", ", names);
  }
}
