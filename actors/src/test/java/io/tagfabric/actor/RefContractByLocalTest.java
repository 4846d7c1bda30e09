package io.tagfabric.actor;

class RefContractByLocalTest extends RefContractTest {
  @Override
  String provider() {
    return "local";
  }
}
