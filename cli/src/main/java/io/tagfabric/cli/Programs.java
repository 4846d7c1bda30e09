package io.tagfabric.cli;

import io.tagfabric.cluster.settings.Spelling;
import java.util.List;

/** The programs that have a short name. */
final class Programs {
  private static final String LIST = "`tagfabric programs` lists them";

  private Programs() {}

  /** Those of Tagfabric's own jars; the jars of a program give no names. */
  static Registry registry() {
    return Registry.load(Programs.class.getClassLoader(), Registry.PROGRAMS);
  }

  /** What to say of a word that is neither a short name nor a class. */
  static String unknown(String program, Registry registry) {
    List<String> names = registry.entries().stream().map(Registry.Entry::name).toList();
    return "unknown program '"
        + program
        + "'"
        + Spelling.nearest(program, names)
            .map(near -> ", did you mean " + near + "?")
            .orElse(", give a name or the full name of a class with a main method;")
        + " "
        + LIST;
  }
}
