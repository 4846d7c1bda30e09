package io.tagfabric.link;

/**
 * Answer to a post.
 *
 * @source libfabric fi_tagged(3), return values
 */
public enum Posted {
  /** Accepted: exactly one completion follows. */
  POSTED,
  /** Nothing happened, no completion follows: read completions, then try again. */
  TRY_AGAIN
}
