package io.tagfabric.match;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.tag.TagSelector;
import java.util.Objects;

/**
 * Looks for the earliest message that waits for a receive and fits, and says at once whether there
 * is one. The same probe can be posted to a queue, started as a future, or told to an endpoint's
 * matcher, as often as wanted. It does not wait for a message, so no counter starts it.
 *
 * <p>A hit tells the message's sender, tag, length and immediate data; no byte is placed. A miss
 * fails with NO_MESSAGE, or with why the peer that it names is lost. Two probes may see the same
 * message, and a receive may take it before the program posts its own; a claim excludes that.
 *
 * <p>Thread: any. A probe that claims, one at a time, as {@link Claim} says.
 *
 * @source libfabric fi_tagged(3), fi_msg(3), FI_PEEK, FI_CLAIM and FI_DISCARD
 */
public final class Probe {
  private final ProbeKind kind;
  private final TagSelector selector;

  /** Whether it looks among the messages without a tag. */
  private final boolean untagged;

  /** What takes the message, or holds the one to drop; null if neither. */
  private final Claim claim;

  private Probe(ProbeKind kind, TagSelector selector, boolean untagged, Claim claim) {
    this.kind = kind;
    this.selector = Objects.requireNonNull(selector, "selector");
    this.untagged = untagged;
    this.claim = claim;
  }

  private static TagSelector anyOf(int source) {
    return new TagSelector(0, 0, source);
  }

  /** Leaves the message where it is. */
  public static Probe peek(TagSelector selector) {
    return new Probe(ProbeKind.PEEK, selector, false, null);
  }

  /**
   * Takes the message out of matching: a claim holds it, and no receive or probe finds it. Receive
   * it by {@link TaggedReceive#of(Claim)} or drop it by {@link #discard(Claim)}. A miss leaves the
   * claim as it was. A claim that holds a message already fails with INVALID, and so does one that
   * is used at another endpoint than the one that filled it.
   *
   * @source libfabric fi_tagged(3), FI_PEEK with FI_CLAIM
   */
  public static Probe claim(TagSelector selector, Claim claim) {
    return new Probe(ProbeKind.CLAIM, selector, false, Objects.requireNonNull(claim, "claim"));
  }

  /**
   * Drops the message. Its sender's send completes as if it had been received; a long message is
   * not transferred, its sender hears that no byte is wanted.
   *
   * @source libfabric fi_tagged(3), FI_PEEK with FI_DISCARD
   */
  public static Probe discard(TagSelector selector) {
    return new Probe(ProbeKind.DISCARD, selector, false, null);
  }

  /**
   * Drops the message of a claim; INVALID if it holds none of this endpoint.
   *
   * @source libfabric fi_tagged(3), FI_CLAIM with FI_DISCARD
   */
  public static Probe discard(Claim claim) {
    return new Probe(
        ProbeKind.DISCARD, TagSelector.any(), false, Objects.requireNonNull(claim, "claim"));
  }

  /**
   * As {@link #peek}, among the messages without a tag.
   *
   * @param source a peer's index, or {@link TagSelector#ANY_SOURCE}
   */
  public static Probe peekUntagged(int source) {
    return new Probe(ProbeKind.PEEK, anyOf(source), true, null);
  }

  /** As {@link #claim}, among the messages without a tag. */
  public static Probe claimUntagged(int source, Claim claim) {
    return new Probe(ProbeKind.CLAIM, anyOf(source), true, Objects.requireNonNull(claim, "claim"));
  }

  /** As {@link #discard(TagSelector)}, among the messages without a tag. */
  public static Probe discardUntagged(int source) {
    return new Probe(ProbeKind.DISCARD, anyOf(source), true, null);
  }

  @InternalApi
  public ProbeKind kind() {
    return kind;
  }

  @InternalApi
  public TagSelector selector() {
    return selector;
  }

  @InternalApi
  public boolean isUntagged() {
    return untagged;
  }

  @InternalApi
  public Claim claim() {
    return claim;
  }

  /** Whether it drops the message of a claim, and looks for none. */
  @InternalApi
  public boolean isOfClaim() {
    return kind == ProbeKind.DISCARD && claim != null;
  }

  /** What it claims with; null if it claims nothing. */
  @InternalApi
  public Claim claims() {
    return kind == ProbeKind.CLAIM ? claim : null;
  }
}
