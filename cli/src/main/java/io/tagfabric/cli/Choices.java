package io.tagfabric.cli;

import io.tagfabric.cluster.job.LossPolicy;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.launch.hosts.Placement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The words that a shell completes, as a person types them. */
final class Choices {
  private Choices() {}

  /** The short names of programs. */
  static final class ProgramNames extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    ProgramNames() {
      super(Programs.registry().entries().stream().map(Registry.Entry::name).toList());
    }
  }

  /** How ranks are placed on hosts. */
  static final class Placements extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    Placements() {
      super(words(Placement.values()));
    }
  }

  /** What becomes of a job when a rank fails. */
  static final class LossPolicies extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    LossPolicies() {
      super(words(LossPolicy.values()));
    }
  }

  /** How Akka's remoting travels. */
  static final class Profiles extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    Profiles() {
      super(words(Profile.values()));
    }
  }

  /** Shells that complete. */
  static final class Shells extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    Shells() {
      super(words(CompletionCommand.Shell.values()));
    }
  }

  private static List<String> words(Enum<?>[] values) {
    return Arrays.stream(values).map(value -> value.name().toLowerCase(Locale.ROOT)).toList();
  }
}
