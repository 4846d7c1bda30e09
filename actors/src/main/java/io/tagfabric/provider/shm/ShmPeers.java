package io.tagfabric.provider.shm;

import io.tagfabric.provider.shm.ring.ShmEntry;
import io.tagfabric.provider.shm.ring.ShmLayout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The domains of this host that one of them writes to, by their files. An address is the file's
 * path and a token. Only files of domains below the directory of this user's jobs are mapped, for a
 * path is the word of a peer. Thread: the domain's loop.
 */
final class ShmPeers {
  private final Path own;
  private final ShmSettings settings;
  private final Runnable rung;
  private final Map<Path, ShmPeer> peers = new LinkedHashMap<>();

  /**
   * @param own this domain's file, by which peers find it
   * @param settings of this domain
   * @param rung as in {@link ShmPeer#open}
   */
  ShmPeers(Path own, ShmSettings settings, Runnable rung) {
    this.own = normal(own);
    this.settings = settings;
    this.rung = rung;
  }

  /** The address of the domain with a file. */
  static String address(Path file, long token) {
    return file + "#" + Long.toHexString(token);
  }

  /** Why a domain cannot be written to; empty if it can, and then {@link #at} finds it. */
  Optional<String> unreachableBecause(String address) {
    Path path;
    long token;
    try {
      path = pathOf(address);
      token = tokenOf(address);
    } catch (IllegalArgumentException e) {
      return Optional.of("[" + address + "] is not an address of shm");
    }
    if (!Files.exists(path)) {
      return Optional.of("there is no " + path + " here, the peer is on another host or has ended");
    }
    boolean known = peers.containsKey(path);
    try {
      ShmPeer peer = open(path);
      if (peer.token() != token) {
        if (!known) {
          remove(peer);
          peer.close();
        }
        return Optional.of(path + " belongs to another domain by now");
      }
      return peer.register(own)
          ? Optional.empty()
          : Optional.of(path + " has senders=" + ShmLayout.SENDERS + " already");
    } catch (IOException | InternalError e) {
      return Optional.of("cannot map " + path + ": " + e.getMessage());
    }
  }

  /** The peer of an address that is reachable. */
  ShmPeer at(String address) {
    return peers.get(pathOf(address));
  }

  private static Path pathOf(String address) {
    return normal(Path.of(address.substring(0, Math.max(0, address.lastIndexOf('#')))));
  }

  /** One spelling for each file: two mappings of one would close each other's lock. */
  private static Path normal(Path path) {
    return path.toAbsolutePath().normalize();
  }

  private boolean mayBeDomain(Path path) {
    Path directory = path.getParent();
    return directory != null
        && own.getParent().getParent().equals(directory.getParent())
        && path.getFileName().toString().matches("domain-[0-9]+-[0-9]+");
  }

  private static long tokenOf(String address) {
    return Long.parseUnsignedLong(address.substring(address.lastIndexOf('#') + 1), 16);
  }

  private ShmPeer open(Path path) throws IOException {
    ShmPeer peer = peers.get(path);
    if (peer == null) {
      if (!mayBeDomain(path)) {
        throw new IOException(
            "it is no file domain-* of a job in "
                + own.getParent().getParent()
                + ", give both the same tagfabric.launch.directory");
      }
      peer = ShmPeer.open(path, settings, rung);
      peers.put(path, peer);
    }
    return peer;
  }

  /** The peer with a file, null if the file cannot be mapped any more. */
  ShmPeer find(Path path) {
    try {
      return open(normal(path));
    } catch (IOException gone) {
      return null;
    }
  }

  /**
   * Whether there is a domain in the directory of this user's jobs that lives and may have taken an
   * entry in a file.
   *
   * @param taken the state of the entry, see {@link ShmEntry#takenBy}
   */
  boolean mayHaveTaken(int taken) {
    try (DirectoryStream<Path> jobs = Files.newDirectoryStream(own.getParent().getParent())) {
      for (Path job : jobs) {
        if (Files.isDirectory(job) && mayHaveTaken(taken, job)) {
          return true;
        }
      }
      return false;
    } catch (IOException | DirectoryIteratorException unknown) {
      return true;
    }
  }

  private static boolean mayHaveTaken(int taken, Path job) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(job, ShmDirectory.PREFIX + "*")) {
      for (Path each : files) {
        byte[] path = normal(each).toString().getBytes(StandardCharsets.UTF_8);
        if (ShmEntry.takenBy(path) == taken && ShmFile.isAlive(each)) {
          return true;
        }
      }
      return false;
    } catch (NoSuchFileException | NotDirectoryException gone) {
      return false;
    }
  }

  /** Those known now: who goes through them may find more. */
  List<ShmPeer> all() {
    return List.copyOf(peers.values());
  }

  /** A peer has left. */
  void remove(ShmPeer peer) {
    peers.remove(peer.path());
  }

  /** Leaves all of them. */
  void close() {
    peers.values().forEach(ShmPeer::close);
    peers.clear();
  }
}
