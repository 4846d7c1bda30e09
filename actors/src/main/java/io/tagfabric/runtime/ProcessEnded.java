package io.tagfabric.runtime;

import io.tagfabric.annotation.InternalApi;

/**
 * Ends the thread that has ended its process, where the process is less than a JVM: {@link
 * ProcessControl#exit} and {@link ProcessControl#halt} throw it, and whoever runs code of programs
 * lets it pass. It has no stack trace.
 */
@InternalApi
public class ProcessEnded extends Error {
  private static final long serialVersionUID = 1L;

  /** The end of a process. */
  public ProcessEnded(String message) {
    super(message, null, false, false);
  }
}
