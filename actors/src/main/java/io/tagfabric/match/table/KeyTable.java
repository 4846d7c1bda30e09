package io.tagfabric.match.table;

import io.tagfabric.tag.TagSelector;
import java.util.Arrays;

/**
 * Hash table from (source unless wildcard, tag under a mask) to the nodes of that key, first in
 * first out. Holds one class of receives: those that ignore the same bits and agree on whether the
 * source counts.
 *
 * <p>Buckets chain only the first node of each key, through the nodes' own links: no node objects,
 * no tombstones, and ten thousand nodes of one key are one step deep.
 */
final class KeyTable {
  static final int BASE_CAPACITY = 64;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final long MIX_1 = 0xBF58476D1CE4E5B9L;
  private static final long MIX_2 = 0x94D049BB133111EBL;

  private MatchNode[] buckets = new MatchNode[BASE_CAPACITY];
  private int shift = Long.SIZE - Integer.numberOfTrailingZeros(BASE_CAPACITY);
  private int keys;
  private long quietRemovals;

  private long mask;
  private long ignore;
  private boolean anySource;

  // Messages of one tag come in rows: the bucket of the key that was hashed last.
  private long hashedTag;
  private int hashedSource;
  private int hashedBucket;

  /** Nodes looked at so far; what a cost claim is tested with. */
  long steps;

  /** Position in the owner's list of active tables. */
  int position;

  /** Takes a new class; the table must be empty. */
  void assign(long ignore, boolean anySource) {
    this.ignore = ignore;
    this.mask = ~ignore;
    this.anySource = anySource;
    hash(0, 0);
  }

  boolean serves(long ignore, boolean anySource) {
    return this.ignore == ignore && this.anySource == anySource;
  }

  boolean isEmpty() {
    return keys == 0;
  }

  int capacity() {
    return buckets.length;
  }

  /** Earliest node whose key a message or receive with this tag and source has, or null. */
  MatchNode first(long tag, int source) {
    MatchNode node = buckets[bucketOf(tag, source)];
    while (node != null) {
      steps++;
      if (sameKey(node, tag, source)) {
        return node;
      }
      node = node.nextKey;
    }
    return null;
  }

  /** Appends the node to the queue of its key. */
  void add(MatchNode node) {
    node.table = this;
    node.next = null;
    int bucket = bucketOf(node.tag, node.source);
    MatchNode first = buckets[bucket];
    while (first != null && !sameKey(first, node.tag, node.source)) {
      steps++;
      first = first.nextKey;
    }
    if (first == null) {
      node.previous = node;
      node.nextKey = buckets[bucket];
      buckets[bucket] = node;
      if (++keys > buckets.length) {
        resize(buckets.length * 2);
      }
    } else {
      MatchNode last = first.previous;
      last.next = node;
      node.previous = last;
      first.previous = node;
    }
  }

  /** Takes the node out, wherever in the queue of its key it is. */
  void remove(MatchNode node) {
    MatchNode next = node.next;
    // Only the first node has a predecessor (the last one) that does not point to it.
    if (node.previous.next == node) {
      node.previous.next = next;
      MatchNode successor = next == null ? first(node.tag, node.source) : next;
      successor.previous = node.previous;
    } else {
      replaceFirst(node, next);
    }
    node.next = null;
    node.previous = null;
    node.table = null;
    if (keys < buckets.length >>> 3) {
      quieten();
    } else {
      quietRemovals = 0;
    }
  }

  private void replaceFirst(MatchNode node, MatchNode next) {
    MatchNode replacement = node.nextKey;
    if (next == null) {
      keys--;
    } else {
      next.previous = node.previous;
      next.nextKey = node.nextKey;
      replacement = next;
    }
    int bucket = bucketOf(node.tag, node.source);
    MatchNode before = buckets[bucket];
    if (before == node) {
      buckets[bucket] = replacement;
    } else {
      while (before.nextKey != node) {
        steps++;
        before = before.nextKey;
      }
      before.nextKey = replacement;
    }
    node.nextKey = null;
  }

  /** Forgets every node without touching it. */
  void clear() {
    Arrays.fill(buckets, null);
    keys = 0;
  }

  /** Adds every node to {@code target} from {@code index} on and returns the index after them. */
  int collect(MatchNode[] target, int index) {
    for (MatchNode bucket : buckets) {
      for (MatchNode first = bucket; first != null; first = first.nextKey) {
        for (MatchNode node = first; node != null; node = node.next) {
          target[index++] = node;
        }
      }
    }
    return index;
  }

  /** Halves only after a long quiet time, so that bursts of one size do not grow it each time. */
  private void quieten() {
    if (buckets.length > BASE_CAPACITY && ++quietRemovals >= buckets.length) {
      resize(buckets.length / 2);
    }
  }

  private void resize(int capacity) {
    MatchNode[] old = buckets;
    buckets = new MatchNode[capacity];
    shift = Long.SIZE - Integer.numberOfTrailingZeros(capacity);
    hash(hashedTag, hashedSource);
    quietRemovals = 0;
    for (MatchNode head : old) {
      MatchNode node = head;
      while (node != null) {
        MatchNode following = node.nextKey;
        int bucket = bucketOf(node.tag, node.source);
        node.nextKey = buckets[bucket];
        buckets[bucket] = node;
        node = following;
      }
    }
  }

  private boolean sameKey(MatchNode node, long tag, int source) {
    return ((node.tag ^ tag) & mask) == 0 && (anySource || node.source == source);
  }

  private int bucketOf(long tag, int source) {
    return ((tag ^ hashedTag) & mask) == 0 && (anySource || source == hashedSource)
        ? hashedBucket
        : hash(tag, source);
  }

  /** Tags are structured (constant fields, running numbers), so every bit is mixed into the top. */
  private int hash(long tag, int source) {
    long hash = (tag & mask) ^ (anySource ? TagSelector.ANY_SOURCE : source) * GOLDEN;
    hash = (hash ^ (hash >>> 30)) * MIX_1;
    hash = (hash ^ (hash >>> 27)) * MIX_2;
    hashedTag = tag;
    hashedSource = source;
    hashedBucket = (int) (hash >>> shift);
    return hashedBucket;
  }
}
