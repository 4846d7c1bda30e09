package io.tagfabric.cluster.job;

/** How Akka's remoting travels between the ranks of a job. */
public enum Profile {
  /** Artery over Aeron UDP, with one media driver for the host. */
  AERON,
  /** Artery over TCP. */
  TCP,
  /** Artery over TLS over TCP. */
  TLS
}
