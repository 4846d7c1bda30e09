package io.tagfabric.provider.tcp.line;

/** What a node calls when its socket is ready. Thread: the domain's loop. */
public interface Ready {
  /** Reads or writes what can be. Returns the work done, 0 if none. */
  int onReady();
}
