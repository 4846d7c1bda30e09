package io.tagfabric.tag;

/**
 * Which tagged messages a receive takes: a tag, the bits of it that are not compared, and a sender.
 *
 * <p>A message fits when {@code ((sent ^ tag) & ~ignore) == 0} and it comes from {@code source}, or
 * {@code source} is {@link #ANY_SOURCE}. Immutable, so any thread may use it.
 *
 * @param tag the wanted tag; bits that {@code ignore} names have no meaning
 * @param ignore bits of the tag not compared (1 = ignored)
 * @param source the sender's peer index, or {@link #ANY_SOURCE}
 * @source libfabric fi_tagged(3), fi_trecv
 */
public record TagSelector(long tag, long ignore, int source) {
  /** Stands for every sender. */
  public static final int ANY_SOURCE = -1;

  /**
   * Checks the sender.
   *
   * @throws IllegalArgumentException if {@code source} is neither a peer index nor ANY_SOURCE
   */
  public TagSelector {
    requireSource(source);
  }

  /** Takes messages with exactly this tag from any sender. */
  public static TagSelector exact(long tag) {
    return new TagSelector(tag, 0, ANY_SOURCE);
  }

  /** Takes messages from any sender whose tag equals {@code tag} outside the ignored bits. */
  public static TagSelector masked(long tag, long ignore) {
    return new TagSelector(tag, ignore, ANY_SOURCE);
  }

  /** Takes every message. */
  public static TagSelector any() {
    return new TagSelector(0, -1L, ANY_SOURCE);
  }

  /** The same choice of tags, but only from the peer with this index. */
  public TagSelector from(int peer) {
    return new TagSelector(tag, ignore, peer);
  }

  /** Whether a message sent with {@code sentTag} by {@code sender} fits. */
  public boolean matches(long sentTag, int sender) {
    return ((sentTag ^ tag) & ~ignore) == 0 && (source == ANY_SOURCE || source == sender);
  }

  /**
   * Refuses a number that is neither a peer index nor {@link #ANY_SOURCE}.
   *
   * @throws IllegalArgumentException if {@code source < -1}
   */
  public static void requireSource(int source) {
    if (source < ANY_SOURCE) {
      throw new IllegalArgumentException(
          "source=" + source + " < 0, pass a peer index or ANY_SOURCE (" + ANY_SOURCE + ")");
    }
  }

  /** For people: {@code tag 0x2a ignore 0xff from 3}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("tag ");
    if (ignore == -1L) {
      text.append("any");
    } else {
      text.append("0x").append(Long.toHexString(tag));
      if (ignore != 0) {
        text.append(" ignore 0x").append(Long.toHexString(ignore));
      }
    }
    return text.append(" from ").append(source == ANY_SOURCE ? "any" : source).toString();
  }
}
