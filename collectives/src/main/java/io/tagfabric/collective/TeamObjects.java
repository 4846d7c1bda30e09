package io.tagfabric.collective;

import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.collective.schedule.Blocks;
import io.tagfabric.kryo.KryoCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BinaryOperator;

/**
 * Collectives of objects of registered classes, through Kryo. Lengths travel first, so each takes
 * two collectives of the team. As for these, all members call the same in the same order.
 *
 * <p>Where the codec refuses an object the call throws {@link io.tagfabric.kryo.KryoCodecException}
 * at once and has started nothing; the other members wait then, until this one calls with another
 * object, or closes or revokes the team.
 */
public final class TeamObjects {
  private final Team team;
  private final KryoCodec codec;

  TeamObjects(Team team) {
    this.team = team;
    this.codec = team.domain().fabric().objects();
  }

  /**
   * The root's object to all.
   *
   * @param object of the root; ignored elsewhere
   */
  public <T> CompletionStage<T> broadcast(T object, int root, Class<T> type) {
    boolean isRoot = team.rank() == root;
    byte[] bytes = isRoot ? codec.encode(object) : new byte[0];
    Elements length = Elements.of(bytes.length);
    return team.broadcast(length, root)
        .thenCompose(
            notUsed -> {
              Elements data = Elements.bytes(isRoot ? bytes : new byte[length.ints()[0]]);
              return team.broadcast(data, root)
                  .thenApply(alsoNotUsed -> type.cast(codec.decode(data.toByteArray())));
            });
  }

  /** Every member's object to all, in rank order. */
  public <T> CompletionStage<List<T>> allgather(T object, Class<T> type) {
    byte[] bytes = codec.encode(object);
    Elements lengths = Elements.of(new int[team.size()]);
    return team.allgather(Elements.of(bytes.length), lengths)
        .thenCompose(
            notUsed -> {
              Blocks blocks = Blocks.packed(lengths.ints());
              Elements all = Elements.bytes(new byte[blocks.extent()]);
              return team.start(CollectiveCall.allgatherv(Elements.bytes(bytes), all, blocks))
                  .thenApply(alsoNotUsed -> decoded(all, blocks, type));
            });
  }

  private <T> List<T> decoded(Elements all, Blocks blocks, Class<T> type) {
    List<T> objects = new ArrayList<>();
    for (int rank = 0; rank < blocks.count(); rank++) {
      Elements block = all.part(blocks.offset(rank), blocks.length(rank));
      objects.add(type.cast(codec.decode(block.toByteArray())));
    }
    return objects;
  }

  /** All objects combined in rank order, at all; the operator need not be commutative. */
  public <T> CompletionStage<T> allreduce(T object, Class<T> type, BinaryOperator<T> operator) {
    return allgather(object, type)
        .thenApply(objects -> objects.stream().reduce(operator).orElseThrow());
  }
}
