package io.tagfabric.bench.compare;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A C library of MPI that this machine may have. Where several are installed, {@code mpicc} and
 * {@code mpirun} may be of any of them, so a library looks for programs that bear its own name, and
 * asks those that bear none whose they are. Thread: one.
 */
public abstract class MpiLibrary {
  /** Between processes of this host. */
  public static final String SHARED_MEMORY = "shm";

  /** Over the loopback interface. */
  public static final String TCP = "tcp";

  private static final Duration ANSWER_TIME = Duration.ofSeconds(20);

  private final ProgramFinder finder;
  private final String title;
  private final String install;
  private final PeerPrograms.Lazy programs = new PeerPrograms.Lazy();
  private final Map<List<String>, String> answers = new HashMap<>();

  /**
   * @param title its name for people
   * @param install packages that bring it
   */
  MpiLibrary(ProgramFinder finder, String title, String install) {
    this.finder = finder;
    this.title = title;
    this.install = install;
  }

  /** Open MPI. */
  public static MpiLibrary openMpi(ProgramFinder finder) {
    return new OpenMpi(finder);
  }

  /** As in names of peers. */
  public abstract String name();

  /** What it is, for people, the transport aside. */
  abstract String description();

  /** Its compiler. */
  abstract Optional<Path> compiler();

  /** What starts its processes. */
  abstract Optional<Path> starter();

  /** Names of both that any library may have. */
  abstract List<String> plainNames();

  /**
   * The beginning of a command that starts processes; the program and its arguments follow.
   *
   * @param transport how they talk
   * @param yields whether a process that waits gives its core away, as it must where there are more
   *     of them than cores
   * @throws ContenderException if the library cannot be asked how
   */
  public abstract List<String> launcher(int ranks, String transport, boolean yields)
      throws ContenderException;

  /**
   * The command that starts a program in both of two namespaces.
   *
   * @param programs where files for it may lie
   * @param call the program and its arguments
   * @throws ContenderException if the library cannot do that
   */
  List<String> between(Namespaces namespaces, PeerPrograms programs, List<String> call)
      throws ContenderException {
    throw new ContenderException(title + " is started on one host only");
  }

  /** Why it cannot be used, with what would help; empty if it can. */
  public final Optional<String> missingBecause() {
    if (starter().isEmpty()) {
      return Optional.of(missing(plainNames().get(0)));
    }
    return compiler().isEmpty() ? Optional.of(missing(plainNames().get(1))) : Optional.empty();
  }

  private String missing(String program) {
    String what = finder.find(program).isEmpty() ? "no " + program : program + " is another's";
    return title
        + " is missing ("
        + what
        + " in PATH), install it with: apt-get install "
        + install;
  }

  /** Compiles a source of ours, which comes with this class. */
  public final Path build(PeerPrograms where, String source) throws ContenderException {
    Path file = where.mpiSource(source);
    Path built = where.directory().resolve(name() + "-" + source.replaceFirst("\\.c$", ""));
    String compiler = compiler().orElseThrow().toString();
    where.build(List.of(compiler, "-O3", "-march=native", "-o", built.toString(), file.toString()));
    return built;
  }

  /** The program of this name of its own, or else one of any name whose answer says it is its. */
  final Optional<Path> program(
      List<String> own, String plain, String question, Predicate<String> isOwn) {
    return own.stream()
        .flatMap(name -> finder.find(name).stream())
        .findFirst()
        .or(() -> finder.find(plain).filter(found -> isOwn.test(answer(found, question))));
  }

  /** What a program prints, nothing if it fails. */
  final String answer(Path program, String question) {
    return answers.computeIfAbsent(List.of(program.toString(), question), this::ask);
  }

  /** A program of PATH. */
  final Optional<Path> find(String program) {
    return finder.find(program);
  }

  private String ask(List<String> command) {
    try {
      byte[] said = programs.get().run(command, Map.of(), ANSWER_TIME);
      return new String(said, StandardCharsets.UTF_8);
    } catch (ContenderException refused) {
      return "";
    }
  }
}
