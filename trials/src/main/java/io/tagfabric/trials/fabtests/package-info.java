/**
 * The scenarios of libfabric's fabtests that Tagfabric has, and those that it has not, with the
 * reason. Entry: {@link io.tagfabric.trials.fabtests.FabtestsCommand}. A scenario is written from
 * what fabtests checks, for two sides that are in one JVM or in two.
 *
 * <p>A new scenario is a method of one of the classes {@code …Scenarios}, or of a new one, and a
 * line in its {@code all()}; {@link io.tagfabric.trials.fabtests.Catalogue} lists these classes.
 * What it replaces in {@link io.tagfabric.trials.fabtests.NotYet} goes.
 *
 * @source libfabric fabtests(7)
 */
package io.tagfabric.trials.fabtests;
