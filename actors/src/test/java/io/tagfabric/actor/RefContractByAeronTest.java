package io.tagfabric.actor;

class RefContractByAeronTest extends RefContractTest {
  @Override
  String provider() {
    return "aeron";
  }
}
