package io.tagfabric.fabric;

import io.tagfabric.cluster.settings.RecordCopy;
import io.tagfabric.progress.ProgressMode;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What a program asks of a fabric; what is left out does not matter. Immutable.
 *
 * @param capabilities all of them are wanted
 * @param kind of endpoint
 * @param provider by name, also one that {@code tagfabric.provider.use} does not name
 * @param progress mode that has to be offered
 * @param messageBytes longest message that has to fit
 * @param injectBytes longest message that has to be injectable
 * @source libfabric fi_getinfo(3), hints
 */
public record FabricHints(
    Set<Capability> capabilities,
    Optional<EndpointKind> kind,
    Optional<String> provider,
    Optional<ProgressMode> progress,
    long messageBytes,
    long injectBytes) {
  public FabricHints {
    capabilities = Set.copyOf(capabilities);
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(provider, "provider");
    Objects.requireNonNull(progress, "progress");
  }

  /** Whatever there is. */
  public static FabricHints any() {
    return new FabricHints(Set.of(), Optional.empty(), Optional.empty(), Optional.empty(), 0, 0);
  }

  /** The same with these capabilities, too. */
  public FabricHints with(Capability... more) {
    Set<Capability> all = EnumSet.noneOf(Capability.class);
    all.addAll(capabilities);
    all.addAll(Set.of(more));
    return RecordCopy.with(this, "capabilities", all);
  }

  /** The same for a kind of endpoint. */
  public FabricHints withKind(EndpointKind wanted) {
    return RecordCopy.with(this, "kind", Optional.of(wanted));
  }

  /** The same for one provider. */
  public FabricHints withProvider(String name) {
    return RecordCopy.with(this, "provider", Optional.of(name));
  }

  /** The same for messages of at least these lengths. */
  public FabricHints withSizes(long message, long inject) {
    return RecordCopy.with(this, "messageBytes", message, "injectBytes", inject);
  }
}
