package io.tagfabric.simulation.isolate.program;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Timer;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Calls what no simulation can have; each method one thing. */
@SuppressWarnings({"AddressSelection", "WaitNotInLoop"}) // nothing is to come of the calls
public final class ForeignProgram {
  private ForeignProgram() {}

  public static Object processBuilder() throws IOException {
    return new ProcessBuilder("true").start();
  }

  public static Object exec() throws IOException {
    return Runtime.getRuntime().exec(new String[] {"true"});
  }

  public static Object processHandle() {
    return ProcessHandle.current().pid();
  }

  public static Object socket() throws IOException {
    return new Socket();
  }

  public static Object socketByReference() {
    Supplier<Socket> made = Socket::new;
    return made.get();
  }

  public static Object serverSocket() throws IOException {
    return new ServerSocket();
  }

  public static Object datagramSocket() throws IOException {
    return new DatagramSocket();
  }

  public static Object socketChannel() throws IOException {
    return SocketChannel.open();
  }

  public static Object address() throws IOException {
    return InetAddress.getByName("127.0.0.1");
  }

  public static Object parallelStream() {
    return List.of(1, 2).parallelStream().mapToInt(each -> each).sum();
  }

  public static Object forkJoinPool() {
    return ForkJoinPool.commonPool();
  }

  public static Object workStealing() {
    return Executors.newWorkStealingPool();
  }

  public static Object timer() {
    return new Timer(true);
  }

  public static Object monitor() throws InterruptedException {
    Object monitor = new Object();
    synchronized (monitor) {
      monitor.wait(1);
    }
    return monitor;
  }

  public static Object condition() throws InterruptedException {
    ReentrantLock lock = new ReentrantLock();
    lock.lock();
    return lock.newCondition().awaitNanos(1);
  }

  public static Object barrier() throws Exception {
    return new CyclicBarrier(1).await();
  }

  public static Object loader() {
    return new URLClassLoader(new URL[0]);
  }

  public static Object library() {
    System.loadLibrary("none-of-this-name");
    return null;
  }

  public static Object execByReflection() throws Exception {
    return Runtime.class
        .getMethod("exec", String[].class)
        .invoke(Runtime.getRuntime(), new Object[] {new String[] {"true"}});
  }

  public static Object inLambda() throws Exception {
    Callable<Object> call = () -> new ProcessBuilder("true").start();
    return call.call();
  }
}
