package io.tagfabric.actor;

class RefContractByArteryTest extends RefContractTest {
  @Override
  String provider() {
    return "artery";
  }
}
