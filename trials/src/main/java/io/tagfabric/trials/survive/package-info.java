/**
 * {@code tagfabric survive}: kills ranks in loops of collectives and watches the others finish.
 * {@link io.tagfabric.trials.survive.SurviveCommand} is the entry.
 */
package io.tagfabric.trials.survive;
