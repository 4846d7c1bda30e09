package io.tagfabric.collective;

import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.schedule.Blocks;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.kryo.KryoCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BinaryOperator;

/**
 * Collectives of objects of registered classes, through Kryo. Lengths travel first, so each takes
 * two collectives of the team. As for these, all members call the same in the same order.
 *
 * <p>Objects are combined in rank order, so an operator need not be commutative. What is combined
 * is first gathered: memory and time grow with the team.
 *
 * <p>Where the codec refuses an object, the call fails with {@link
 * io.tagfabric.kryo.KryoCodecException} at that member, and with INVALID and its name at the
 * members that would have got the object; the team goes on. An operator that throws fails the call
 * where it has run.
 */
public final class TeamObjects {
  private static final int REFUSED = -1;

  private final Team team;
  private final KryoCodec codec;

  TeamObjects(Team team) {
    this.team = team;
    this.codec = team.domain().fabric().objects();
  }

  /** Objects as bytes, side by side; or why one cannot be. */
  private final class Encoded {
    final int[] lengths;
    private final List<byte[]> all = new ArrayList<>();
    private RuntimeException refusal;

    Encoded(List<?> objects) {
      lengths = new int[objects.size()];
      for (int i = 0; i < lengths.length; i++) {
        try {
          all.add(codec.encode(objects.get(i)));
          lengths[i] = all.get(i).length;
        } catch (RuntimeException e) {
          refusal = e;
          all.add(new byte[0]);
          lengths[i] = REFUSED;
        }
      }
    }

    Elements bytes() {
      byte[] together = new byte[blocks(lengths).extent()];
      int at = 0;
      for (byte[] each : all) {
        System.arraycopy(each, 0, together, at, each.length);
        at += each.length;
      }
      return Elements.bytes(together);
    }

    /** The result, unless an object of this member was refused. */
    <T> CompletionStage<T> orRefusal(CompletionStage<T> stage) {
      return refusal == null
          ? stage
          : stage.handle(
              (notUsed, alsoNotUsed) -> {
                throw refusal;
              });
    }
  }

  private static Blocks blocks(int[] lengths) {
    return Blocks.packed(Arrays.stream(lengths).map(length -> Math.max(0, length)).toArray());
  }

  private <T> List<T> decoded(Elements bytes, int[] lengths, Class<T> type) {
    Blocks blocks = blocks(lengths);
    List<T> objects = new ArrayList<>();
    for (int rank = 0; rank < lengths.length; rank++) {
      requireSent(rank, lengths[rank]);
      objects.add(decoded(bytes.part(blocks.offset(rank), blocks.length(rank)), type));
    }
    return objects;
  }

  private <T> T decoded(Elements bytes, Class<T> type) {
    return type.cast(codec.decode(bytes.toByteArray()));
  }

  private void requireSent(int rank, int length) {
    if (length == REFUSED) {
      throw new FabricException(
          FabricError.INVALID,
          "team "
              + team.context()
              + ": rank "
              + rank
              + " ["
              + team.address(rank)
              + "] has an object that the codec refuses, register its class everywhere");
    }
  }

  /**
   * The root's object to all.
   *
   * @param object of the root; ignored elsewhere
   */
  public <T> CompletionStage<T> broadcast(T object, int root, Class<T> type) {
    Encoded own = new Encoded(team.rank() == root ? List.of(object) : List.of());
    Elements length = Elements.of(team.rank() == root ? own.lengths[0] : 0);
    return own.orRefusal(
        team.broadcast(length, root)
            .thenCompose(
                notUsed -> {
                  int[] lengths = length.ints();
                  Elements bytes =
                      team.rank() == root
                          ? own.bytes()
                          : Elements.bytes(new byte[Math.max(0, lengths[0])]);
                  return team.broadcast(bytes, root)
                      .thenApply(
                          alsoNotUsed -> {
                            requireSent(root, lengths[0]);
                            return decoded(bytes, type);
                          });
                }));
  }

  /** Every member's object to all, in rank order. */
  public <T> CompletionStage<List<T>> allgather(T object, Class<T> type) {
    Encoded own = new Encoded(List.of(object));
    Elements lengths = Elements.of(new int[team.size()]);
    return own.orRefusal(
        team.allgather(Elements.of(own.lengths), lengths)
            .thenCompose(
                notUsed -> {
                  Blocks blocks = blocks(lengths.ints());
                  Elements all = Elements.bytes(new byte[blocks.extent()]);
                  return team.allgatherv(own.bytes(), all, blocks)
                      .thenApply(alsoNotUsed -> decoded(all, lengths.ints(), type));
                }));
  }

  /**
   * Every member's object to the root, in rank order.
   *
   * @return null at the other members
   */
  public <T> CompletionStage<List<T>> gather(T object, int root, Class<T> type) {
    boolean isRoot = team.rank() == root;
    Encoded own = new Encoded(List.of(object));
    Elements lengths = Elements.of(new int[isRoot ? team.size() : 0]);
    return own.orRefusal(
        team.gather(Elements.of(own.lengths), lengths, root)
            .thenCompose(
                notUsed -> {
                  Blocks blocks = isRoot ? blocks(lengths.ints()) : null;
                  Elements all = Elements.bytes(new byte[isRoot ? blocks.extent() : 0]);
                  return team.gatherv(own.bytes(), all, blocks, root)
                      .thenApply(alsoNotUsed -> isRoot ? decoded(all, lengths.ints(), type) : null);
                }));
  }

  /**
   * One object of the root's list to each member, by rank.
   *
   * @param objects one for each member at the root; ignored elsewhere
   * @throws IllegalArgumentException at the root if there is not one for each
   */
  public <T> CompletionStage<T> scatter(List<T> objects, int root, Class<T> type) {
    boolean isRoot = team.rank() == root;
    Encoded own = new Encoded(isRoot ? requireOneEach(objects) : List.of());
    Elements length = Elements.of(new int[1]);
    return own.orRefusal(
        team.scatter(Elements.of(own.lengths), length, root)
            .thenCompose(
                notUsed -> {
                  int mine = length.ints()[0];
                  Elements bytes = Elements.bytes(new byte[Math.max(0, mine)]);
                  Blocks blocks = isRoot ? blocks(own.lengths) : null;
                  return team.scatterv(own.bytes(), blocks, bytes, root)
                      .thenApply(
                          alsoNotUsed -> {
                            requireSent(root, mine);
                            return decoded(bytes, type);
                          });
                }));
  }

  /**
   * One object from each member to each: of the list, the i-th to rank i; in the result, the i-th
   * from rank i.
   *
   * @throws IllegalArgumentException if there is not one for each
   */
  public <T> CompletionStage<List<T>> alltoall(List<T> objects, Class<T> type) {
    Encoded own = new Encoded(requireOneEach(objects));
    Elements lengths = Elements.of(new int[team.size()]);
    return own.orRefusal(
        team.alltoall(Elements.of(own.lengths), lengths)
            .thenCompose(
                notUsed -> {
                  Blocks blocks = blocks(lengths.ints());
                  Elements all = Elements.bytes(new byte[blocks.extent()]);
                  return team.alltoallv(own.bytes(), blocks(own.lengths), all, blocks)
                      .thenApply(alsoNotUsed -> decoded(all, lengths.ints(), type));
                }));
  }

  private <T> List<T> requireOneEach(List<T> objects) {
    if (objects.size() != team.size()) {
      throw new IllegalArgumentException(
          "objects=" + objects.size() + " is not members=" + team.size() + ", pass one for each");
    }
    return objects;
  }

  /** All objects combined, at all. */
  public <T> CompletionStage<T> allreduce(T object, Class<T> type, BinaryOperator<T> operator) {
    return allgather(object, type).thenApply(objects -> combined(objects, operator));
  }

  /**
   * All objects combined, at the root.
   *
   * @return null at the other members
   */
  public <T> CompletionStage<T> reduce(
      T object, int root, Class<T> type, BinaryOperator<T> operator) {
    return gather(object, root, type)
        .thenApply(objects -> objects == null ? null : combined(objects, operator));
  }

  /** The objects of the members up to this one combined. */
  public <T> CompletionStage<T> scan(T object, Class<T> type, BinaryOperator<T> operator) {
    return allgather(object, type)
        .thenApply(objects -> combined(objects.subList(0, team.rank() + 1), operator));
  }

  /**
   * The objects of the members before this one combined.
   *
   * @return null at rank 0
   */
  public <T> CompletionStage<T> exscan(T object, Class<T> type, BinaryOperator<T> operator) {
    return allgather(object, type)
        .thenApply(
            objects ->
                team.rank() == 0 ? null : combined(objects.subList(0, team.rank()), operator));
  }

  /**
   * A list of each member, one object for each: the i-th objects of all combined, at rank i.
   *
   * @throws IllegalArgumentException if there is not one for each
   */
  public <T> CompletionStage<T> reduceScatter(
      List<T> objects, Class<T> type, BinaryOperator<T> operator) {
    return alltoall(objects, type).thenApply(mine -> combined(mine, operator));
  }

  private <T> T combined(List<T> objects, BinaryOperator<T> operator) {
    try {
      return objects.stream().reduce(operator).orElseThrow();
    } catch (Throwable e) {
      throw new FabricException(
          FabricError.OTHER,
          "team "
              + team.context()
              + ": rank "
              + team.rank()
              + " has an operator of objects that has thrown "
              + e,
          e);
    }
  }
}
