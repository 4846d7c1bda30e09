package io.tagfabric.match.core;

/**
 * The tags of one context of a scalable endpoint: those whose bits choose it.
 *
 * @param mask the bits that choose; 0 for all tags
 * @param tag what they are in the tags that come here
 */
record ContextTags(long mask, long tag) {
  static final ContextTags ALL = new ContextTags(0, 0);

  /** Whether a receive or probe wants other tags, or any. */
  boolean isElsewhere(long wanted, long ignore) {
    return (ignore & mask) != 0 || (wanted & mask) != tag;
  }

  /** Why such a one is refused. */
  String elsewhereText(long wanted, long ignore) {
    return "tag="
        + Long.toHexString(wanted)
        + " ignore="
        + Long.toHexString(ignore)
        + ": the bits "
        + Long.toHexString(mask)
        + " choose the context, name "
        + Long.toHexString(tag)
        + " there and ignore none of them";
  }
}
