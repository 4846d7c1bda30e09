package io.tagfabric.address;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the address of a scalable endpoint says of its contexts. The whole endpoint has a number,
 * and its contexts have the numbers after it.
 *
 * @param first number of the whole endpoint in its ActorSystem
 * @param tagShift how many bits of a tag are below those that choose the context
 * @param tagBits how many bits of a tag choose the context; 0 if tags do not
 * @param providers how providers reach each context, as in {@link EndpointAddress}
 */
public record ContextAddresses(
    int first, int tagShift, int tagBits, List<Map<String, String>> providers) {
  /** Most contexts of one endpoint. */
  public static final int MOST = 64;

  private static final int MOST_BITS = 16;

  /**
   * Requires contexts, and bits that can name each of them.
   *
   * @throws IllegalArgumentException otherwise
   */
  public ContextAddresses {
    providers =
        providers.stream()
            .map(each -> Collections.unmodifiableMap(new LinkedHashMap<>(each)))
            .toList();
    int count = providers.size();
    if (count < 1 || count > MOST) {
      throw new IllegalArgumentException("contexts=" + count + " is outside 1.." + MOST);
    }
    requireBits(count, tagShift, tagBits);
    if (first < 0 || first > Integer.MAX_VALUE - count) {
      throw new IllegalArgumentException("first=" + first + " is no number of an endpoint");
    }
  }

  /**
   * Refuses bits that cannot name each context.
   *
   * @throws IllegalArgumentException if they cannot
   */
  public static void requireBits(int contexts, int tagShift, int tagBits) {
    if (tagBits < 0 || tagBits > MOST_BITS || (tagBits > 0 && 1 << tagBits < contexts)) {
      throw new IllegalArgumentException(
          "tagBits="
              + tagBits
              + " cannot name contexts="
              + contexts
              + ", take 0 or enough, at most "
              + MOST_BITS);
    }
    if (tagShift < 0 || tagShift > Long.SIZE - tagBits) {
      throw new IllegalArgumentException(
          "tagShift=" + tagShift + " tagBits=" + tagBits + " do not lie in a tag of 64 bits");
    }
  }

  /** How many there are. */
  public int count() {
    return providers.size();
  }

  /** The bits of a tag that choose the context. */
  public long tagMask() {
    return tagBits == 0 ? 0 : (-1L >>> (Long.SIZE - tagBits)) << tagShift;
  }

  /**
   * The number of the context that a tag chooses, which may not be there; 0 if tags choose none.
   */
  public int contextOf(long tag) {
    return tagBits == 0 ? 0 : (int) ((tag & tagMask()) >>> tagShift);
  }

  /** The bits of the tags that choose a context. */
  public long tagOf(int context) {
    return tagBits == 0 ? 0 : (long) context << tagShift;
  }
}
