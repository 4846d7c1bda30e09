package io.tagfabric.link.send;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.Completions;
import java.util.Objects;

/**
 * How a send is to be done. Immutable: make it once, and use it for many sends.
 *
 * @param level when it completes
 * @param completions which of its ends leave an entry; null for what its endpoint was opened with
 * @param fenced whether it, and what is sent to its peer after it, waits until all that was sent to
 *     this peer before has completed
 * @param immediate whether it is accepted only if it can leave now: nothing waits before it, the
 *     peer has given credit, a packet has room for its first frame, and nobody else drives the
 *     loop. Otherwise the post answers TRY_AGAIN, and nothing of it is kept
 * @source libfabric fi_msg(3), FI_COMPLETION, FI_FENCE, FI_INJECT_COMPLETE and following;
 *     GASNet-EX, GEX_FLAG_IMMEDIATE
 */
public record SendOptions(
    CompletionLevel level, Completions completions, boolean fenced, boolean immediate) {
  /** Level INJECT, entries as of the endpoint, no fence. */
  public static final SendOptions DEFAULT =
      new SendOptions(CompletionLevel.INJECT, null, false, false);

  /** Requires a level. */
  public SendOptions {
    Objects.requireNonNull(level, "level");
  }

  /** The same at another level. */
  public SendOptions at(CompletionLevel newLevel) {
    return new SendOptions(newLevel, completions, fenced, immediate);
  }

  /** The same with an entry for success too, whatever the endpoint was opened with. */
  public SendOptions told() {
    return new SendOptions(level, Completions.ALL, fenced, immediate);
  }

  /** The same with an entry for failure only. */
  public SendOptions silent() {
    return new SendOptions(level, Completions.ERRORS, fenced, immediate);
  }

  /** The same behind a fence. */
  public SendOptions fence() {
    return new SendOptions(level, completions, true, immediate);
  }

  /** The same, now or not at all. */
  public SendOptions now() {
    return new SendOptions(level, completions, fenced, true);
  }
}
