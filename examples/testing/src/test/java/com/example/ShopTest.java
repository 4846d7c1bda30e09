package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import akka.actor.typed.Props;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.testkit.At;
import io.tagfabric.testkit.FabricTest;
import io.tagfabric.testkit.TagProbe;
import io.tagfabric.testkit.TestFabric;
import io.tagfabric.testkit.TestNetwork;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

// #class
@FabricTest(endpoints = {"customer", "shop"})
class ShopTest {
  @BeforeEach
  void open(TestFabric fabric, @At("shop") Endpoint shop) {
    var behavior = Shop.create(shop, Map.of("bolt", "3 cents"));
    fabric.system().systemActorOf(behavior, "shop", Props.empty());
  }

  // #class
  // #probe
  @Test
  void shouldTellThePrice(TagProbe customer) {
    customer.send("shop", Shop.ASK, "bolt");
    customer.expectTagged(Shop.PRICE, "3 cents");

    customer.send("shop", Shop.ASK, "moon");
    customer.expectTagged(Shop.PRICE, "none");
  }

  // #probe
  // #hold
  @Test
  void shouldWaitForASlowShop(TestFabric fabric, TestNetwork network, Endpoint customer) {
    network.hold("customer", "shop");
    CompletionStage<String> price = Shop.ask(customer, fabric.peer("shop"), "bolt");
    assertFalse(price.toCompletableFuture().isDone());

    network.release("customer", "shop");
    assertEquals("3 cents", fabric.await(price));
  }

  // #hold
  // #crash
  @Test
  void shouldFailWhenTheShopIsLost(TestFabric fabric, TestNetwork network, Endpoint customer) {
    int shop = fabric.peer("shop");
    fabric.await(Shop.ask(customer, shop, "bolt"));
    network.partition("customer", "shop");
    CompletionStage<String> price = Shop.ask(customer, shop, "bolt");
    network.crash("shop");
    network.heal();

    FabricException failure = assertThrows(FabricException.class, () -> fabric.await(price));
    assertEquals(FabricError.CONNECTION_RESET, failure.error());
  }
  // #crash
}
