/**
 * A page that shows a running job: what its recorders write, read live, and buttons that freeze its
 * domains, let them step and change who makes progress. Or a run that is over, which it plays.
 *
 * <p>{@link io.tagfabric.watch.WatchServer} serves it on loopback, {@link
 * io.tagfabric.watch.WatchedJob} follows the files, {@link io.tagfabric.watch.Replay} plays a time
 * line. Ranks open no port: they and the page meet in the files of the recorders, which only their
 * user can open.
 */
package io.tagfabric.watch;
