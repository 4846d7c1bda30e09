package io.tagfabric.architecture.example.surface.inside;

/** Internal by its package. */
public final class Inside {
  /** Internal by the type around it. */
  public record Part(int number) {}
}
