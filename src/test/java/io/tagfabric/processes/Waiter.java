package io.tagfabric.processes;

import java.util.concurrent.CountDownLatch;

/** A program that waits until it is ended. */
final class Waiter {
  private Waiter() {}

  public static void main(String[] args) throws InterruptedException {
    System.out.println("waiting");
    new CountDownLatch(1).await();
  }
}
