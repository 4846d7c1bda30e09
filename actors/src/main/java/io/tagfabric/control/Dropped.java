package io.tagfabric.control;

import akka.actor.DeadLetterSuppression;
import akka.actor.PossiblyHarmful;

/**
 * What a control message becomes whose bytes do not prove the job's key, or cannot be read. No
 * actor handles it, and guarded mailboxes do not take it.
 */
enum Dropped implements PossiblyHarmful, DeadLetterSuppression {
  INSTANCE
}
