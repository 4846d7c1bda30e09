package io.tagfabric.trials.roll;

import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.ClassFileVersion;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.implementation.StubMethod;
import net.bytebuddy.matcher.ElementMatchers;
import net.bytebuddy.pool.TypePool;

/** What one node does wrong for {@code --self-test}, and what the ledger must say then. */
enum Defect {
  /** A receiver loses a message. */
  LOST_TELL("have not come, but"),
  /** A receiver gets two messages in the wrong order. */
  SWAPPED_TELLS("has come twice or behind"),
  /** A question is not answered. */
  SWALLOWED_ASK("were not answered"),
  /** A send that has failed counts as one that has succeeded. */
  FALSE_SUCCESS("has succeeded and has not come"),
  /**
   * What actors tell while their ActorSystem ends is lost, as in an earlier version of the library:
   * a method of it does nothing.
   */
  LOST_LAST_WORDS("was told to a node that was not known to leave") {
    @Override
    boolean isOfLeaver() {
      return true;
    }

    @Override
    void load() {
      empty("io.tagfabric.actor.Road", "release", "io.tagfabric.actor.ActorCounters");
    }
  };

  private final String finding;

  Defect(String finding) {
    this.finding = finding;
  }

  /** What people call it. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Optional<Defect> of(String label) {
    return Arrays.stream(values()).filter(each -> each.label().equals(label)).findFirst();
  }

  /** Whether the node has it that is replaced, not one that stays. */
  boolean isOfLeaver() {
    return false;
  }

  /** Puts it into the library, if it is one of these, before the class is loaded without it. */
  void load() {}

  /**
   * Loads a class one method of which does nothing.
   *
   * @param neighbour a class of the same package, which loads without it
   */
  private static void empty(String type, String method, String neighbour) {
    ClassLoader loader = Defect.class.getClassLoader();
    ClassFileLocator locator = ClassFileLocator.ForClassLoader.of(loader);
    TypePool.Resolution found = TypePool.Default.of(locator).describe(type);
    if (found.resolve().getDeclaredMethods().filter(ElementMatchers.named(method)).isEmpty()) {
      throw new IllegalStateException(type + " has no method " + method + ", adapt Defect");
    }
    byte[] bytes =
        new ByteBuddy(ClassFileVersion.JAVA_V17)
            .redefine(found.resolve(), locator)
            .method(ElementMatchers.named(method))
            .intercept(StubMethod.INSTANCE)
            .make()
            .getBytes();
    try {
      Class<?> inPackage = Class.forName(neighbour, false, loader);
      MethodHandles.privateLookupIn(inPackage, MethodHandles.lookup()).defineClass(bytes);
    } catch (ReflectiveOperationException | LinkageError tooLate) {
      throw new IllegalStateException(type + " cannot be loaded with a defect", tooLate);
    }
  }

  /** Whether the ledger has found it for what it is. */
  boolean isFoundBy(Iterable<String> troubles) {
    for (String trouble : troubles) {
      if (trouble.contains(finding)) {
        return true;
      }
    }
    return false;
  }
}
