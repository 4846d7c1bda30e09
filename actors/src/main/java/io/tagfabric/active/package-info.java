/**
 * Messages that run a handler at their receiver: {@link io.tagfabric.active.ActiveMessages} makes
 * requests, {@code ActiveTarget} runs what peers ask for, {@code ActiveDesk} brings replies back.
 *
 * <p>May import {@code access}, {@code link} and what these use.
 *
 * @source GASNet-EX, active messages
 */
package io.tagfabric.active;
