package io.tagfabric.fabric;

import io.tagfabric.address.ContextAddresses;
import io.tagfabric.progress.ProgressSettings;
import io.tagfabric.receive.EndpointBindings;
import java.util.Objects;
import java.util.function.Function;

/**
 * How a {@link ScalableEndpoint} is opened.
 *
 * @param contexts how many, from 1
 * @param tagShift how many bits of a tag are below those that choose the context
 * @param tagBits how many bits of a tag choose the context; 0 if tags do not
 * @param progress of the domains of its contexts; null for that of the fabric
 * @param bindings what a context of a domain tells its ends to
 */
public record ScalableOptions(
    int contexts,
    int tagShift,
    int tagBits,
    ProgressSettings progress,
    Function<Domain, EndpointBindings> bindings) {
  /**
   * Requires contexts, and bits that can name each of them.
   *
   * @throws IllegalArgumentException otherwise
   */
  public ScalableOptions {
    if (contexts < 1 || contexts > ContextAddresses.MOST) {
      throw new IllegalArgumentException(
          "contexts=" + contexts + " is outside 1.." + ContextAddresses.MOST);
    }
    ContextAddresses.requireBits(contexts, tagShift, tagBits);
    Objects.requireNonNull(bindings, "bindings");
  }

  /** So many contexts, which peers choose by index; each has queues of its own. */
  public static ScalableOptions of(int contexts) {
    return new ScalableOptions(
        contexts,
        0,
        0,
        null,
        domain -> EndpointBindings.to(domain.openCompletionQueue(), domain.openCompletionQueue()));
  }

  /** The same where these bits of a tag choose the context. */
  public ScalableOptions choosingBy(int shift, int bits) {
    return new ScalableOptions(contexts, shift, bits, progress, bindings);
  }

  /** The same with other progress of the domains. */
  public ScalableOptions progressing(ProgressSettings newProgress) {
    return new ScalableOptions(contexts, tagShift, tagBits, newProgress, bindings);
  }

  /** The same with other bindings of the contexts. */
  public ScalableOptions bound(Function<Domain, EndpointBindings> newBindings) {
    return new ScalableOptions(contexts, tagShift, tagBits, progress, newBindings);
  }
}
