package io.tagfabric.name;

import io.tagfabric.address.EndpointAddress;
import java.util.Map;

/** Nodes and endpoints for tests. */
final class Places {
  private Places() {}

  static Node node(int number) {
    return new Node("akka://test@127.0.0.1:" + (2000 + number), 100 + number);
  }

  static EndpointAddress endpoint(Node node, int number) {
    return new EndpointAddress(
        node.incarnation(), number, "e" + number, node.address(), "vm", Map.of("artery", "x"));
  }
}
