package io.tagfabric.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.memory.Slices;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class AccessTest {
  private static final RemoteRegion REGION =
      new RemoteRegion(3, new RegionDescriptor(1, 2, 64, RegionRight.all(), 5));

  private final UnsafeBuffer eight = new UnsafeBuffer(new byte[8]);
  private final UnsafeBuffer other = new UnsafeBuffer(new byte[8]);

  private static void refused(FabricError error, Runnable maker) {
    assertThatThrownBy(maker::run)
        .isInstanceOfSatisfying(FabricException.class, e -> assertThat(e.error()).isEqualTo(error));
  }

  @Test
  void shouldRefuseWhatNoAccessCanBeMadeOf() {
    AtomicKind kind = AtomicKind.INT64;
    assertThatNullPointerException().isThrownBy(() -> Access.write(null, 0, eight));
    assertThatIllegalArgumentException().isThrownBy(() -> Access.write(REGION, 0, eight, 1, 8));
    assertThatIllegalArgumentException().isThrownBy(() -> Access.read(REGION, 0, eight, -1, 8));
    refused(FabricError.ACCESS, () -> Access.write(REGION, 57, eight));
    refused(FabricError.ACCESS, () -> Access.fill(REGION, 0, 65, (byte) 1));
    refused(FabricError.INVALID, () -> Access.update(REGION, 4, AtomicOp.SUM, kind, eight));
    refused(
        FabricError.OPERATION_NOT_SUPPORTED,
        () -> Access.update(REGION, 0, AtomicOp.READ, kind, eight));
    refused(
        FabricError.OPERATION_NOT_SUPPORTED,
        () -> Access.fetch(REGION, 0, AtomicOp.CSWAP, kind, eight, other));
    refused(
        FabricError.OPERATION_NOT_SUPPORTED,
        () -> Access.compare(REGION, 0, AtomicOp.SUM, kind, eight, eight, other));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Access.compare(
                    REGION, 0, AtomicOp.CSWAP, kind, eight, new UnsafeBuffer(new byte[7]), other));
  }

  @Test
  void shouldSignalByWritesOfOnePieceOnly() {
    Slices two = Slices.indexed(4, 0, 8);
    Slices one = Slices.one(0, 8);
    assertThat(Access.write(REGION, 0, eight).signal().signals()).isTrue();
    assertThat(Access.writeSlices(REGION, one, eight, one).data(1).signals()).isTrue();
    assertThatIllegalStateException()
        .isThrownBy(() -> Access.read(REGION, 0, eight).signal())
        .withMessageContaining("READ");
    assertThatIllegalStateException()
        .isThrownBy(() -> Access.writeSlices(REGION, two, eight, one).signal())
        .withMessageContaining("of pieces");
    assertThatIllegalStateException().isThrownBy(() -> Access.fill(REGION, 0, 8, (byte) 1).data(1));
  }

  @Test
  void shouldRefuseALevelThatNothingReaches() {
    SendOptions match = SendOptions.DEFAULT.at(CompletionLevel.MATCH);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Access.write(REGION, 0, eight).with(match))
        .withMessageContaining("use DELIVERY");
    assertThatNullPointerException().isThrownBy(() -> Access.write(REGION, 0, eight).with(null));
    assertThat(Access.read(REGION, 0, eight).with(match).options()).isEqualTo(match);
  }

  @Test
  void shouldTakeTheLevelOfWhoAsksUnlessItSaysOne() {
    SendOptions transmit = SendOptions.DEFAULT.at(CompletionLevel.TRANSMIT);
    Access write = Access.write(REGION, 0, eight);
    assertThat(write.operation(CompletionLevel.INJECT).level()).isEqualTo(CompletionLevel.INJECT);
    assertThat(write.operation(CompletionLevel.DELIVERY).level())
        .isEqualTo(CompletionLevel.DELIVERY);
    write.with(transmit);
    assertThat(write.operation(CompletionLevel.INJECT).level()).isEqualTo(CompletionLevel.TRANSMIT);
    assertThat(Access.read(REGION, 0, eight).operation(CompletionLevel.INJECT).level())
        .isEqualTo(CompletionLevel.DELIVERY);
  }

  @Test
  void shouldCopyOperandsForEachOperation() {
    eight.putLong(0, 5);
    Access add = Access.update(REGION, 0, AtomicOp.SUM, AtomicKind.INT64, eight);
    MemoryOperation first = add.operation(CompletionLevel.INJECT);
    eight.putLong(0, 6);
    MemoryOperation second = add.operation(CompletionLevel.INJECT);

    assertThat(first.buffer().getLong(first.offset())).isEqualTo(5);
    assertThat(second.buffer().getLong(second.offset())).isEqualTo(6);
  }

  @Test
  void shouldMoveNothingForNoElements() {
    UnsafeBuffer none = new UnsafeBuffer(new byte[0]);
    assertThat(Access.update(REGION, 0, AtomicOp.SUM, AtomicKind.INT64, none).bytes()).isZero();
    assertThat(Access.fetch(REGION, 8, AtomicOp.SUM, AtomicKind.INT64, none, none).reads())
        .isTrue();
  }
}
