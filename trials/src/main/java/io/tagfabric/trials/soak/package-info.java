/**
 * {@code tagfabric soak}: two ranks exchange millions of messages and check each of them, over any
 * provider and with faults if wanted. {@link io.tagfabric.trials.soak.SoakCommand} is the entry.
 *
 * <p>Both ranks draw the same messages from the same seed. With one sender, which message a receive
 * gets follows from the order of the sends and the order of the posts alone, so a receiver knows
 * for each receive which message it must get.
 */
package io.tagfabric.trials.soak;
