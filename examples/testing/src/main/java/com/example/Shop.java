package com.example;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Tells the price of what it has: an actor behind an endpoint, and what a customer calls. */
// #shop
public final class Shop {
  static final long ASK = 1;
  static final long PRICE = 2;

  private Shop() {}

  /** Answers each question that comes for the endpoint. */
  public static Behavior<TaggedMessage> create(Endpoint endpoint, Map<String, String> prices) {
    return Behaviors.setup(
        context -> {
          endpoint.futures().subscribe(TagSelector.exact(ASK), context.getSelf());
          return Behaviors.receiveMessage(
              question -> {
                String item = text(question);
                byte[] price = prices.getOrDefault(item, "none").getBytes(StandardCharsets.UTF_8);
                endpoint.futures().sendTagged(question.source(), price, PRICE);
                return Behaviors.same();
              });
        });
  }

  /** Asks a shop; fails if the shop is lost. */
  public static CompletionStage<String> ask(Endpoint customer, int shop, String item) {
    byte[] question = item.getBytes(StandardCharsets.UTF_8);
    return customer
        .futures()
        .sendTagged(shop, question, ASK)
        .thenCompose(sent -> customer.futures().receiveTagged(TagSelector.exact(PRICE).from(shop)))
        .thenApply(Shop::text);
  }

  private static String text(TaggedMessage message) {
    return new String(message.payload().array(), StandardCharsets.UTF_8);
  }
}
// #shop
