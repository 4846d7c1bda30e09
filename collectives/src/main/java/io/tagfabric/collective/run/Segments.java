package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.collective.reduce.Elements;

/**
 * How the vector of a call is cut: each segment is a collective of its own on a range of elements,
 * so cutting changes no result.
 *
 * @param count elements of the vector
 * @param length elements of each segment but the last
 * @param number how many there are, at least 1
 */
record Segments(int count, int length, int number) {
  /** The whole in one piece. */
  static Segments whole(int count) {
    return new Segments(count, Math.max(1, count), 1);
  }

  /** Pieces of so many bytes at most, or of an element that is longer. */
  static Segments of(int count, int bytes, int elementBytes) {
    int length = Math.max(1, Math.min(bytes / elementBytes, count));
    return new Segments(count, length, Math.max(1, (int) ((count + (long) length - 1) / length)));
  }

  int from(int segment) {
    return segment * length;
  }

  int lengthOf(int segment) {
    return Math.min(length, count - from(segment));
  }

  /** The shape of a segment's collective. */
  Shape shape(Shape whole, int segment) {
    return number == 1
        ? whole
        : Shape.vector(whole.rank(), whole.size(), whole.root(), lengthOf(segment));
  }

  /** A segment's part; memory that the call does not use at this member has none. */
  Elements part(Elements whole, int segment) {
    int end = from(segment) + lengthOf(segment);
    return number == 1 || whole.count() < end
        ? whole
        : whole.part(from(segment), lengthOf(segment));
  }
}
