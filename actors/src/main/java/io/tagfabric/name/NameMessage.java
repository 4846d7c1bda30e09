package io.tagfabric.name;

import akka.actor.DeadLetterSuppression;

/**
 * What name services tell each other; written by {@link NameMessageSerializer}. What gets lost is
 * told again or done without, so a dead letter of them is news to nobody.
 */
interface NameMessage extends DeadLetterSuppression {}
