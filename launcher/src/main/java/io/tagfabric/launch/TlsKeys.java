package io.tagfabric.launch;

import io.tagfabric.cluster.host.FileTrees;
import io.tagfabric.cluster.host.JobDirectory;
import io.tagfabric.cluster.host.LaunchException;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.profile.TlsSettings;
import io.tagfabric.cluster.settings.Settings;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A key pair that the ranks of one job share, and by which they know each other: a process that has
 * the file is of the job. It lives in the job's directories, which only the user can read.
 *
 * @param store PKCS #12 in Base64, with a certificate that signs itself
 */
public record TlsKeys(String store, String password) {
  private static final long DEADLINE_S = 60;
  private static final int PASSWORD_BITS = 128;

  /**
   * New keys for a job of profile tls, unless the settings name a key store.
   *
   * @throws LaunchException if they cannot be made
   */
  static Optional<TlsKeys> forJob(LocalJob job, Settings settings) {
    boolean wanted = job.profile() == Profile.TLS && settings.get(TlsSettings.KEY_STORE).isBlank();
    return wanted ? Optional.of(generate()) : Optional.empty();
  }

  /** The content of the file. */
  static byte[] bytes(String store) {
    return Base64.getDecoder().decode(store);
  }

  /** What ranks get in their environment. */
  Map<String, String> variables(String directory) {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put(
        TlsSettings.KEY_STORE.variable(),
        Path.of(directory).resolve(JobDirectory.TLS_KEYS).toString());
    variables.put(TlsSettings.KEY_STORE_PASSWORD.variable(), password);
    return variables;
  }

  /** The content of the file. */
  public byte[] bytes() {
    return bytes(store);
  }

  /**
   * New keys, by the JDK's own tool: its library has no public way to make a certificate.
   *
   * @throws LaunchException if they cannot be made
   */
  public static TlsKeys generate() {
    String password = new BigInteger(PASSWORD_BITS, new SecureRandom()).toString(36);
    Path directory = null;
    try {
      directory = Files.createTempDirectory("tagfabric-tls");
      Path file = directory.resolve(JobDirectory.TLS_KEYS);
      run(command(file), password);
      return new TlsKeys(Base64.getEncoder().encodeToString(Files.readAllBytes(file)), password);
    } catch (IOException failure) {
      throw new LaunchException(
          "cannot make keys for the job (" + failure.getMessage() + "); " + cure(), failure);
    } catch (InterruptedException interrupted) {
      throw new LaunchException("interrupted while the job's keys were made", interrupted);
    } finally {
      if (directory != null) {
        FileTrees.delete(directory);
      }
    }
  }

  private static List<String> command(Path file) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-alias", "job", "-dname", "CN=tagfabric job"));
    command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", "365"));
    command.addAll(List.of("-storetype", "PKCS12", "-keystore", file.toString()));
    command.addAll(List.of("-storepass:env", "TAGFABRIC_STORE_PASS"));
    command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
    return command;
  }

  private static void run(List<String> command, String password)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("TAGFABRIC_STORE_PASS", password);
    Process process = builder.start();
    process.getOutputStream().close();
    String said =
        new String(process.getInputStream().readAllBytes(), Charset.defaultCharset()).strip();
    if (!process.waitFor(DEADLINE_S, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new LaunchException("keytool has not ended within " + DEADLINE_S + " s; " + cure());
    }
    if (process.exitValue() != 0) {
      throw new LaunchException("keytool made no keys: " + said + "\n  " + cure());
    }
  }

  private static String cure() {
    return TlsSettings.KEY_STORE.fullKey() + " may name a key store of yours";
  }
}
