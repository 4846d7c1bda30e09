package io.tagfabric.collective.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.ReduceOp;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.schedule.Blocks;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each of all small calls beside each other one: those that must be equal at all members are. */
class CallSignatureTest {
  private static final int SIZE = 2;
  private static final List<ElementKind> KINDS =
      List.of(ElementKind.INT32, ElementKind.FLOAT32, ElementKind.INT64);

  /** What a call is made of; the elements are those of one block, or of the vector. */
  private record Spec(
      Collective collective,
      int root,
      ElementKind kind,
      ReduceOp operator,
      boolean irregular,
      int count) {
    CollectiveCall call() {
      Elements one = Elements.allocate(kind, count);
      Elements all = Elements.allocate(kind, SIZE * count);
      Blocks blocks = Blocks.equal(SIZE, count);
      return switch (collective) {
        case BARRIER -> CollectiveCall.barrier();
        case BROADCAST -> CollectiveCall.broadcast(one, root);
        case REDUCE -> CollectiveCall.reduce(one, one.copy(), operator, root);
        case ALLREDUCE -> CollectiveCall.allreduce(one, one.copy(), operator);
        case GATHER ->
            irregular
                ? CollectiveCall.gatherv(one, all, root == 0 ? blocks : null, root)
                : CollectiveCall.gather(one, all, root);
        case SCATTER ->
            irregular
                ? CollectiveCall.scatterv(all, root == 0 ? blocks : null, one, root)
                : CollectiveCall.scatter(all, one, root);
        case ALLGATHER ->
            irregular
                ? CollectiveCall.allgatherv(one, all, blocks)
                : CollectiveCall.allgather(one, all);
        case ALLTOALL ->
            irregular
                ? CollectiveCall.alltoallv(all, blocks, all.copy(), blocks)
                : CollectiveCall.alltoall(all, all.copy());
        case REDUCE_SCATTER ->
            irregular
                ? CollectiveCall.reduceScatter(all, blocks, one, operator)
                : CollectiveCall.reduceScatterBlock(all, one, operator);
        case SCAN -> CollectiveCall.scan(one, one.copy(), operator);
        case EXSCAN -> CollectiveCall.exscan(one, one.copy(), operator);
        case NEIGHBOUR_EXCHANGE -> throw new IllegalArgumentException("compares nothing");
      };
    }

    /** Members with blocks of their own lengths need not know those of others. */
    private boolean countsAlike() {
      return !irregular
          || collective == Collective.ALLGATHER
          || collective == Collective.REDUCE_SCATTER;
    }

    /** By the definition: what all members of one call have in common. */
    boolean fits(Spec other) {
      if (collective != other.collective) {
        return false;
      }
      if (collective == Collective.BARRIER) {
        return true;
      }
      return kind.equals(other.kind)
          && irregular == other.irregular
          && (!collective.rooted() || root == other.root)
          && (!collective.reduces() || operator.equals(other.operator))
          && (!countsAlike() || count == other.count);
    }
  }

  private static List<Spec> specs() {
    List<Spec> all = new ArrayList<>();
    for (Collective collective : Collective.values()) {
      if (collective == Collective.NEIGHBOUR_EXCHANGE) {
        continue;
      }
      for (int root = 0; root < SIZE; root++) {
        for (ElementKind kind : KINDS) {
          for (ReduceOp operator : List.of(Reduction.SUM, Reduction.MAX)) {
            for (int count = 0; count < 3; count++) {
              all.add(new Spec(collective, root, kind, operator, false, count));
              all.add(new Spec(collective, root, kind, operator, isIrregular(collective), count));
            }
          }
        }
      }
    }
    return all;
  }

  private static boolean isIrregular(Collective collective) {
    return switch (collective) {
      case GATHER, SCATTER, ALLGATHER, ALLTOALL, REDUCE_SCATTER -> true;
      default -> false;
    };
  }

  /** A call that is never started. */
  private static final class Made extends CallRun {
    final Spec spec;

    Made(Spec spec, CollectiveCall call, Shape shape) {
      super(call, shape, 0, null, () -> 0);
      this.spec = spec;
    }

    @Override
    void start() {
      throw new UnsupportedOperationException();
    }

    @Override
    boolean abandon() {
      return true;
    }
  }

  private static List<Made> made() {
    List<Made> all = new ArrayList<>();
    for (Spec spec : specs()) {
      CollectiveCall call = spec.call();
      all.add(new Made(spec, call, call.shape(0, SIZE)));
    }
    return all;
  }

  @Test
  void shouldCompareWhatAllMembersHaveInCommonInEachWay() {
    List<Made> all = made();
    List<String> wrong = new ArrayList<>();
    int fitting = 0;
    for (Made one : all) {
      CallSignature signature = CallSignature.of(one.call(), one.shape());
      for (Made other : all) {
        boolean fits = one.spec.fits(other.spec);
        fitting += fits ? 1 : 0;
        boolean isOf = signature.isOf(other.call(), other.shape());
        boolean areEqual = CallSignature.areEqual(one, other);
        boolean sameHash = signature.hash() == other.signature().hash();
        if (isOf != fits || areEqual != fits || sameHash != fits) {
          wrong.add(
              one.spec
                  + " beside "
                  + other.spec
                  + ": isOf="
                  + isOf
                  + " areEqual="
                  + areEqual
                  + " sameHash="
                  + sameHash);
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(fitting).isGreaterThan(all.size());
  }

  @Test
  void shouldTakeTheSignatureOfAnEarlierCallOnlyIfItFits() {
    List<Made> all = made();
    Made earlier = all.get(all.size() - 1);
    for (Made later : made()) {
      boolean took = later.signature(earlier.signature()) == earlier.signature();

      assertThat(took)
          .as("%s after %s", later.spec, earlier.spec)
          .isEqualTo(earlier.spec.fits(later.spec));
    }
  }

  @Test
  void shouldSayInWordsWhatDiffers() {
    Spec spec = new Spec(Collective.REDUCE, 1, ElementKind.INT32, Reduction.SUM, false, 2);
    CollectiveCall call = spec.call();

    assertThat(CallSignature.of(call, call.shape(0, SIZE)))
        .hasToString("reduce root=1 kind=int32 op=SUM bytes=8");
  }
}
