/**
 * Messages between the actors that run a job, as bytes.
 *
 * <p>Entry: {@link io.tagfabric.control.ControlSerializer}, which each package that has such
 * messages extends. Imports Akka, nothing of Tagfabric.
 */
package io.tagfabric.control;
