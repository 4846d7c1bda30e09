package io.tagfabric.provider;

/** How far a provider reaches, the nearest first. */
public enum Reach {
  /** Endpoints of the same JVM: a job of several ranks cannot use it alone. */
  JVM,

  /** Also those of other JVMs of the same host. */
  HOST,

  /** Also those of other hosts, by sockets of its own. */
  NETWORK,

  /** Wherever Akka's remoting reaches, by its connections: without remoting it is unavailable. */
  REMOTING
}
