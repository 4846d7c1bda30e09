package io.tagfabric.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.path.PathSettings;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.DirectMemory;
import io.tagfabric.provider.Provider;
import io.tagfabric.provider.ProviderCapabilities;
import io.tagfabric.provider.ProviderUnavailableException;
import io.tagfabric.provider.Reach;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import io.tagfabric.wire.Packet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which wires an endpoint opens, and which of them it takes for a peer. */
class WireTableTest {
  private final List<String> closed = new ArrayList<>();
  private final Fake first = new Fake("first");
  private final Fake second = new Fake("second");

  /** A provider with its wire and channel. */
  private final class Fake implements Provider, Wire, Channel {
    private final String name;
    private String unavailable;
    private RuntimeException opening;
    private String unreachable;
    private RuntimeException looking;
    private boolean open = true;
    private boolean gathers = true;
    private DirectMemory memory;
    private int work;

    private Fake(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public ProviderCapabilities capabilities() {
      return new ProviderCapabilities(Reach.NETWORK, "anything", true, 1024);
    }

    @Override
    public Optional<String> unavailableBecause(WireContext context) {
      return Optional.ofNullable(unavailable);
    }

    @Override
    public Wire open(WireContext context) {
      if (opening != null) {
        throw opening;
      }
      return this;
    }

    @Override
    public String address() {
      return "at " + name;
    }

    @Override
    public Optional<String> unreachableBecause(EndpointAddress peer) {
      if (looking != null) {
        throw looking;
      }
      return Optional.ofNullable(unreachable);
    }

    @Override
    public Channel connect(EndpointAddress peer) {
      return this;
    }

    @Override
    public boolean isOpen(EndpointAddress peer) {
      return open;
    }

    @Override
    public boolean isOpen() {
      return open;
    }

    @Override
    public DirectMemory directMemory() {
      return memory;
    }

    @Override
    public boolean gathers() {
      return gathers;
    }

    @Override
    public int flush() {
      return work;
    }

    @Override
    public boolean offer(Packet packet) {
      return true;
    }

    @Override
    public String closedBecause() {
      return null;
    }

    @Override
    public void close() {
      closed.add(name);
    }
  }

  private WireTable open() {
    return WireTable.open(List.of(first, second), null, new PathTable(PathSettings.ONE, 0));
  }

  private static EndpointAddress peer(String... providers) {
    Map<String, String> addresses = new LinkedHashMap<>();
    for (String provider : providers) {
      addresses.put(provider, "x");
    }
    return new EndpointAddress(1, 0, "peer", "node", "vm", addresses);
  }

  @Test
  void shouldTakeTheFirstProviderThatBothSidesOffer() {
    WireTable table = open();

    assertThat(table.addresses())
        .containsExactly(Map.entry("first", "at first"), Map.entry("second", "at second"));
    WireTable.Choice best = table.connect(peer("second", "first"));
    assertThat(best).isEqualTo(new WireTable.Choice(first, first, true, "it is the first choice"));
    second.gathers = false;
    WireTable.Choice next = table.connect(peer("second"));
    assertThat(next)
        .isEqualTo(
            new WireTable.Choice(second, second, false, "not first (the peer does not offer it)"));
  }

  @Test
  void shouldTakeTheNextProviderWhenOneDoesNotReachThePeer() {
    WireTable table = open();

    first.unreachable = "another host";
    assertThat(table.connect(peer("first", "second")))
        .isEqualTo(new WireTable.Choice(second, second, true, "not first (another host)"));

    first.looking = new IllegalStateException("no number");
    assertThat(table.connect(peer("first", "second")).reason())
        .isEqualTo(
            "not first (its address is of no use: java.lang.IllegalStateException: no number)");
  }

  @Test
  void shouldSayWhatIsAgainstTheOthersWhenAnOpenWayIsTaken() {
    WireTable table = open();
    EndpointAddress peer = peer("first", "second");

    first.open = false;
    assertThat(table.better(peer, "first", first).reason())
        .isEqualTo("not first (there is no connection, and the peer has asked otherwise)");
    first.unreachable = "no answer";
    assertThat(table.better(peer, "first", first).reason()).isEqualTo("not first (no answer)");

    second.open = false;
    assertThat(table.better(peer, "first", first)).isNull();
  }

  /** A flow that is set up already does not find out about memory that both ends reach. */
  @Test
  void shouldChangeToAWayWithMemoryOnlyFromOneThatIsNotOpen() {
    WireTable table = open();
    EndpointAddress peer = peer("first", "second");
    first.memory = (key, generation) -> null;
    second.memory = first.memory;

    assertThat(table.better(peer, "second", second)).isNull();

    first.open = false;
    assertThat(table.better(peer, "first", first).provider()).isSameAs(second);
  }

  @Test
  void shouldSayOfEachProviderWhyItDoesNotReachThePeer() {
    first.unavailable = "no such device";
    WireTable table = open();
    second.unreachable = "another host";

    assertThatThrownBy(() -> table.connect(peer("first", "second")))
        .isInstanceOfSatisfying(
            FabricException.class,
            e -> assertThat(e.error()).isEqualTo(FabricError.HOST_UNREACHABLE))
        .hasMessageContaining("{first=no such device, second=another host}");
  }

  @Test
  void shouldOpenWhatIsAvailableAndRefuseWhenNothingIs() {
    first.opening = new ProviderUnavailableException("no room", null);
    assertThat(open().addresses()).containsOnlyKeys("second");

    second.unavailable = "no such device";
    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            FabricException.class,
            e -> assertThat(e.error()).isEqualTo(FabricError.HOST_UNREACHABLE))
        .hasMessageContaining("{first=no room, second=no such device}");
  }

  @Test
  void shouldCloseWhatIsOpenWhenAProviderFails() {
    second.opening = new IllegalStateException("a defect");

    assertThatThrownBy(this::open).isSameAs(second.opening);

    assertThat(closed).containsExactly("first");
  }

  @Test
  void shouldFlushOnlyWiresThatGather() {
    first.gathers = false;
    first.work = 100;
    second.work = 3;
    WireTable table = open();
    assertThat(table.gathers()).isTrue();
    assertThat(table.flush()).isEqualTo(3);

    first.gathers = true;
    assertThat(open().flush()).isEqualTo(103);

    first.gathers = false;
    second.gathers = false;
    assertThat(open().gathers()).isFalse();
  }

  @Test
  void shouldCloseEveryWire() {
    open().close();

    assertThat(closed).containsExactly("first", "second");
  }
}
