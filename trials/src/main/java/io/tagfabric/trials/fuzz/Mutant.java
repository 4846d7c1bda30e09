package io.tagfabric.trials.fuzz;

import io.tagfabric.trials.fuzz.Violation.Promise;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.Locale;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.ClassFileVersion;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.matcher.ElementMatchers;
import net.bytebuddy.pool.TypePool;
import picocli.CommandLine;

/** A class of the project with a defect put in, and what the fuzzer must find. */
enum Mutant {
  /** Bytes are written beside the receive's buffer. */
  PLACE(
      "io.tagfabric.match.core.InboundTransfer",
      "io.tagfabric.match.core.ContextTags",
      "place",
      Defects.Place.class,
      Promise.BUFFER),

  /** Memory is taken for a message without credit. */
  EAGER_FIRST(
      "io.tagfabric.flow.FlowOrigin",
      "io.tagfabric.flow.FlowState",
      "admit",
      Defects.CountOnly.class,
      Promise.MEMORY),

  /** Whoever dials a node of tcp is taken for one with the job's key. */
  DIAL_PROOF(
      "io.tagfabric.provider.tcp.Proof",
      "io.tagfabric.provider.tcp.PortRange",
      "keyOfDial",
      Defects.FirstKey.class,
      Promise.SILENCE),

  /** The same inside TLS, where whoever has a trusted certificate is taken for one with the key. */
  DIAL_PROOF_INSIDE_TLS(
      "io.tagfabric.provider.tcp.Proof",
      "io.tagfabric.provider.tcp.PortRange",
      "keyOfDial",
      Defects.FirstKey.class,
      Promise.SILENCE);

  private final String type;
  private final String neighbour;
  private final String method;
  private final Class<?> defect;
  private final Promise promise;

  /**
   * @param neighbour a class of the same package, which loads without the type
   */
  Mutant(String type, String neighbour, String method, Class<?> defect, Promise promise) {
    this.type = type;
    this.neighbour = neighbour;
    this.method = method;
    this.defect = defect;
    this.promise = promise;
  }

  /** What people call it. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The provider that shows it.
   *
   * @param otherwise for one that all of them show
   */
  String provider(String otherwise) {
    return this == DIAL_PROOF || isSecure() ? "tcp" : otherwise;
  }

  /** The profile that shows it. */
  String profile() {
    return isSecure() ? "tls" : "tcp";
  }

  private boolean isSecure() {
    return this == DIAL_PROOF_INSIDE_TLS;
  }

  /** The promise that it breaks. */
  Promise promise() {
    return promise;
  }

  /**
   * Loads the class with the defect, before anybody loads it without.
   *
   * @throws IllegalStateException if it is loaded already, or there is no such method any more
   */
  void load() {
    ClassLoader loader = Mutant.class.getClassLoader();
    ClassFileLocator locator = ClassFileLocator.ForClassLoader.of(loader);
    try {
      TypePool.Resolution found = TypePool.Default.of(locator).describe(type);
      if (found.resolve().getDeclaredMethods().filter(ElementMatchers.named(method)).isEmpty()) {
        throw new IllegalStateException(type + " has no method " + method + ", adapt " + this);
      }
      byte[] bytes =
          new ByteBuddy(ClassFileVersion.JAVA_V17)
              .redefine(found.resolve(), locator)
              .visit(Advice.to(defect).on(ElementMatchers.named(method)))
              .make()
              .getBytes();
      Class<?> inPackage = Class.forName(neighbour, false, loader);
      MethodHandles.privateLookupIn(inPackage, MethodHandles.lookup()).defineClass(bytes);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IllegalStateException("cannot put a defect into " + type, e);
    }
  }

  /**
   * A fuzz of a mutant, in a JVM of its own.
   *
   * @param args its label, then arguments of {@code tagfabric fuzz}
   */
  public static void main(String[] args) {
    for (Mutant mutant : values()) {
      if (mutant.label().equals(args[0])) {
        mutant.load();
      }
    }
    String[] rest = Arrays.copyOfRange(args, 1, args.length);
    System.exit(new CommandLine(new FuzzCommand()).execute(rest));
  }
}
