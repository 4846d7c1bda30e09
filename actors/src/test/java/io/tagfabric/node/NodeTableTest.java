package io.tagfabric.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.address.Protocols;
import io.tagfabric.node.NodeDirectory.Presence;
import io.tagfabric.node.NodeTable.Outgoing;
import io.tagfabric.runtime.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class NodeTableTest {
  private static final NodeId OTHER = new NodeId("akka://b@h:2", 20);

  private final NodeTable table = new NodeTable(of(new NodeId("akka://a@h:1", 1), "key", ""));

  private static Announcement of(NodeId node, String key, String actors) {
    return new Announcement(
        node, new Protocols(7, 7), List.of("shm"), List.of(key), actors, false, false);
  }

  @Test
  void shouldAskEachMemberOnce() {
    assertThat(table.joined(new NodeId("akka://a@h:1", 1))).as("itself").isFalse();
    assertThat(table.joined(OTHER)).isTrue();
    assertThat(table.joined(OTHER)).isFalse();
    assertThat(table.presence(OTHER.address())).isEqualTo(Presence.UNKNOWN);
  }

  @Test
  void shouldTellTheEndpointToANodeWithTheKeyOnce() {
    table.publish("endpoint");

    assertThat(table.heard(of(OTHER, "key", "")))
        .extracting(each -> each.said().actors())
        .containsExactly("endpoint");
    assertThat(table.heard(of(OTHER, "key", "its"))).isEmpty();
    assertThat(table.announced(OTHER.address())).contains(of(OTHER, "key", "its"));
  }

  @Test
  void shouldNotTellTheEndpointToANodeWithAnotherKey() {
    table.publish("endpoint");

    List<Outgoing> answer = table.heard(of(OTHER, "other", "").with("", false, true));

    assertThat(answer).extracting(each -> each.said().actors()).containsExactly("");
    assertThat(table.publish("endpoint 2")).isEmpty();
  }

  @Test
  void shouldTellANewEndpointToAllThatMayKnow() {
    table.heard(of(OTHER, "key", ""));

    assertThat(table.publish("endpoint"))
        .extracting(Outgoing::node)
        .containsExactly(OTHER.address());
    assertThat(table.publish("")).extracting(each -> each.said().actors()).containsExactly("");
  }

  @Test
  void shouldTellTheEndOfTheEndpointApartFromWhatItSaysBeforeThereIsOne() {
    assertThat(table.question(OTHER.address()).said().hasEnded()).isFalse();
    assertThat(table.heard(of(OTHER, "key", "").with("", false, true)))
        .extracting(each -> each.said().hasEnded())
        .containsExactly(false);
    assertThat(table.publish("endpoint"))
        .extracting(each -> each.said().hasEnded())
        .containsExactly(false);

    assertThat(table.publish("")).extracting(each -> each.said().hasEnded()).containsExactly(true);
    assertThat(table.question(OTHER.address()).said().hasEnded()).isTrue();
  }

  @Test
  void shouldForgetANodeThatHasGone() {
    table.joined(OTHER);
    table.heard(of(OTHER, "key", ""));

    table.gone(OTHER);

    assertThat(table.presence(OTHER.address())).isEqualTo(Presence.UNKNOWN);
  }

  @Test
  void shouldAskTheNextNodeAtAnAddressWhenItIsSeenAlthoughItHasSpokenBefore() {
    NodeId next = new NodeId(OTHER.address(), 21);
    table.joined(OTHER);
    table.heard(of(OTHER, "key", "its"));

    assertThat(table.heard(of(next, "key", "new"))).isEmpty();
    assertThat(table.heard(of(next, "key", "new").with("new", false, true)))
        .as("to a question, which it asks again when it is seen")
        .isEmpty();
    assertThat(table.announced(OTHER.address())).contains(of(OTHER, "key", "its"));

    table.gone(OTHER);
    assertThat(table.joined(next)).isTrue();
    assertThat(table.presence(OTHER.address())).isEqualTo(Presence.UNKNOWN);
  }

  @Test
  void shouldNotTakeWhatANodeSaidThatHasGoneForNewsOfTheNextOneAtItsAddress() {
    NodeId next = new NodeId(OTHER.address(), 21);
    table.joined(OTHER);
    table.gone(OTHER);
    table.heard(of(OTHER, "key", "its"));
    assertThat(table.presence(OTHER.address())).as("of one gone").isEqualTo(Presence.UNKNOWN);

    table.joined(next);
    table.heard(of(next, "key", "new"));
    assertThat(table.heard(of(OTHER, "key", "its").with("its", false, true)))
        .as("the next one would get the answer to a question")
        .isEmpty();
    assertThat(table.announced(OTHER.address())).contains(of(next, "key", "new"));

    table.heard(of(new NodeId(OTHER.address(), 19), "key", "older"));
    assertThat(table.announced(OTHER.address()))
        .as("of one that was never a member here")
        .contains(of(next, "key", "new"));
  }

  @Test
  void shouldTellANodeThatHasLeftInOrderOfTheEnd() {
    table.joined(OTHER);
    table.publish("endpoint");
    table.heard(of(OTHER, "key", "its"));

    table.left(OTHER);

    assertThat(table.announced(OTHER.address())).contains(of(OTHER, "key", "its"));
    assertThat(table.publish("")).extracting(Outgoing::node).containsExactly(OTHER.address());
    table.heard(of(OTHER, "key", ""));
    assertThat(table.announced(OTHER.address())).contains(of(OTHER, "key", ""));
    assertThat(table.joined(new NodeId(OTHER.address(), 22))).isTrue();
    assertThat(table.presence(OTHER.address())).isEqualTo(Presence.UNKNOWN);
  }

  @Test
  void shouldKeepWhatALateFabricSaysOfItself() {
    table.joined(OTHER);
    table.absent(OTHER.address());
    assertThat(table.presence(OTHER.address())).isEqualTo(Presence.ABSENT);
    table.heard(of(OTHER, "key", ""));
    table.absent(OTHER.address());

    assertThat(table.presence(OTHER.address())).isEqualTo(Presence.PRESENT);
  }

  @Test
  void shouldKeepAFewOfThoseThatAreNoMembers() {
    table.joined(OTHER);
    table.heard(of(OTHER, "key", ""));
    for (int i = 0; i < 2 * NodeTable.OTHERS_KEPT; i++) {
      table.heard(of(new NodeId("akka://c@h:" + i, i), "key", ""));
    }

    assertThat(table.presence("akka://c@h:0")).isEqualTo(Presence.UNKNOWN);
    assertThat(table.presence("akka://c@h:" + (2 * NodeTable.OTHERS_KEPT - 1)))
        .isEqualTo(Presence.PRESENT);
    assertThat(table.presence(OTHER.address())).isEqualTo(Presence.PRESENT);
  }

  /** Whoever begins, and whenever endpoints come and go: at the end each knows the other's. */
  @Property
  void shouldEndWithBothKnowingEachOther(@ForAll long seed, @ForAll @IntRange(max = 20) int steps) {
    Random random = new Random(seed);
    List<NodeTable> tables = new ArrayList<>();
    List<Queue<Announcement>> mail = new ArrayList<>();
    String[] actors = {"", ""};
    for (int i = 0; i < 2; i++) {
      tables.add(new NodeTable(of(new NodeId("n" + i, i + 1), "key", "")));
      mail.add(new ArrayDeque<>());
    }
    int asker = random.nextInt(2);
    mail.get(1 - asker).add(tables.get(asker).question("n" + (1 - asker)).said());
    for (int left = steps; left > 0 || mail.stream().anyMatch(each -> !each.isEmpty()); left--) {
      int at = random.nextInt(2);
      Announcement next = left > 0 && random.nextBoolean() ? null : mail.get(at).poll();
      List<Outgoing> out;
      if (next != null) {
        out = tables.get(at).heard(next);
      } else if (left > 0 && random.nextInt(3) == 0) {
        out = List.of(tables.get(at).question("n" + (1 - at)));
      } else if (left > 0) {
        actors[at] = random.nextInt(4) == 0 ? "" : "endpoint " + random.nextInt(3);
        out = tables.get(at).publish(actors[at]);
      } else {
        continue;
      }
      out.forEach(each -> mail.get(1 - at).add(each.said()));
    }

    for (int i = 0; i < 2; i++) {
      assertThat(tables.get(i).announced("n" + (1 - i)).orElseThrow().actors())
          .isEqualTo(actors[1 - i]);
    }
  }

  /** The one that is at an address now, its news of the other address, and mail to this one. */
  private static final class Place {
    private final String address;
    private final Queue<Consumer<NodeTable>> news = new ArrayDeque<>();
    private final Map<NodeId, Queue<Announcement>> mail = new LinkedHashMap<>();
    private NodeId node;
    private NodeTable table;
    private String actors;

    Place(String address) {
      this.address = address;
    }

    /** Another one begins here; what was sent to the one before comes to it. */
    void begin(long incarnation) {
      node = new NodeId(address, incarnation);
      table = new NodeTable(of(node, "key", ""));
      actors = "";
      news.clear();
    }

    void publish(Place other, String itsActors) {
      actors = itsActors;
      send(other, table.publish(actors));
    }

    void ask(Place other) {
      send(other, List.of(table.question(other.address)));
    }

    private void send(Place other, List<Outgoing> all) {
      Queue<Announcement> queue = other.mail.computeIfAbsent(node, from -> new ArrayDeque<>());
      all.forEach(each -> queue.add(each.said()));
    }

    /** It will hear that the one that is at the other place now is a member, and asks it then. */
    void willSee(Place other) {
      NodeId seen = other.node;
      news.add(
          itsTable -> {
            if (itsTable.joined(seen)) {
              ask(other);
            }
          });
    }

    void hearNews() {
      if (!news.isEmpty()) {
        news.remove().accept(table);
      }
    }

    /** Those of one sender come in order, those of several anyhow. False if there are none. */
    boolean hearMail(Place other, Random random) {
      List<Queue<Announcement>> full =
          mail.values().stream().filter(each -> !each.isEmpty()).toList();
      if (full.isEmpty()) {
        return false;
      }
      send(other, table.heard(full.get(random.nextInt(full.size())).remove()));
      return true;
    }
  }

  /** Whoever is replaced at an address, and however late news of members and mail come. */
  @Property
  void shouldEndWithThoseThatAreThereKnowingEachOther(
      @ForAll long seed, @ForAll @IntRange(max = 60) int steps) {
    Random random = new Random(seed);
    List<Place> places = List.of(new Place("n0"), new Place("n1"));
    for (int step = 0; step < 2 + steps; step++) {
      Place place = places.get(step < 2 ? step : random.nextInt(2));
      Place other = places.get(1 - places.indexOf(place));
      switch (step < 2 ? 0 : random.nextInt(8)) {
        case 0 -> replace(place, other, step, random.nextBoolean());
        case 1 -> place.publish(other, "endpoint " + random.nextInt(3));
        case 2 -> place.ask(other);
        case 3, 4 -> place.hearNews();
        default -> place.hearMail(other, random);
      }
    }
    for (Place place : places) {
      while (!place.news.isEmpty()) {
        place.hearNews();
      }
    }
    while (places.get(0).hearMail(places.get(1), random)
        || places.get(1).hearMail(places.get(0), random)) {}

    for (Place place : places) {
      Place other = places.get(1 - places.indexOf(place));
      assertThat(place.table.announced(other.address))
          .map(there -> there.with(there.actors(), false, false))
          .contains(of(other.node, "key", other.actors));
    }
  }

  private static void replace(Place place, Place other, int incarnation, boolean inOrder) {
    NodeId gone = place.node;
    place.begin(incarnation);
    if (gone != null) {
      if (inOrder) {
        other.news.add(itsTable -> itsTable.left(gone));
      }
      other.news.add(itsTable -> itsTable.gone(gone));
    }
    if (other.node != null) {
      other.willSee(place);
      place.willSee(other);
    }
  }
}
