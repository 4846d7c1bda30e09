package io.tagfabric.processes;

import akka.util.ByteString;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.util.UUID;

/**
 * Two nodes of an Akka cluster, each a JVM. The second one posts long sends, and the first one ends
 * it by SIGTERM before it receives any of them.
 *
 * <p>Argument: the provider.
 */
public final class EndedNode {
  private static final String NAME = "receives";
  private static final int SENDS = 60;
  private static final int LENGTH = 300_000;
  private static final long POSTED = 1;
  private static final long LONG = 2;

  private final ClusterNode node;
  private final Domain domain;
  private final Endpoint endpoint;

  private EndedNode(ClusterNode node) {
    this.node = node;
    domain = Fabric.get(node.system()).openDomain("d", ProgressMode.AUTO);
    endpoint = domain.openEndpoint("e");
  }

  public static void main(String[] args) throws Exception {
    String key = args.length == 1 ? UUID.randomUUID().toString() : args[1];
    ClusterNode node = new ClusterNode("ended", args[0], key);
    if (args.length == 1) {
      node.begin();
      new EndedNode(node).receive();
    } else {
      node.join(args[2]);
      new EndedNode(node).send();
    }
  }

  private void send() throws Exception {
    int peer = ClusterNode.get(domain.connect(NAME));
    for (int number = 0; number < SENDS; number++) {
      byte[] bytes = new byte[LENGTH];
      bytes[LENGTH - 1] = (byte) number;
      endpoint.futures().sendTagged(peer, ByteString.fromArrayUnsafe(bytes), LONG);
    }
    endpoint.futures().sendTagged(peer, ByteString.fromString("posted"), POSTED);
  }

  private void receive() throws Exception {
    ClusterNode.get(Fabric.get(node.system()).register(NAME, endpoint));
    Process other = node.startOther(EndedNode.class);
    try {
      ClusterNode.get(endpoint.futures().receiveTagged(TagSelector.exact(POSTED)));
      ClusterNode.signal("TERM", other);
      int received = 0;
      for (int number = 0; number < SENDS; number++) {
        TaggedMessage message =
            ClusterNode.get(endpoint.futures().receiveTagged(TagSelector.exact(LONG)));
        byte[] bytes = message.payload().array();
        received += bytes.length == LENGTH && bytes[LENGTH - 1] == number ? 1 : 0;
      }
      System.out.println("received in order " + received);
      System.out.println("other " + ClusterNode.codeOf(other));
      node.awaitUp(1);
      System.out.println("it has left");
    } finally {
      other.destroyForcibly();
    }
    node.end();
  }
}
