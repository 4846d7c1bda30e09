package io.tagfabric.cli;

import io.tagfabric.cluster.host.LaunchException;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.settings.SettingsException;
import io.tagfabric.cluster.settings.Spelling;
import io.tagfabric.launch.LocaleCheck;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code tagfabric}. */
@Command(
    name = "tagfabric",
    description = "Tagged messaging and collectives for Akka actors.",
    synopsisSubcommandLabel = "COMMAND",
    versionProvider = VersionProvider.class,
    footer = {"", "Example: tagfabric run -n 4 hello", "More:    tagfabric COMMAND --help"})
public final class Tagfabric implements Runnable {
  static final String NAME = "tagfabric";

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = CommandLine.ScopeType.INHERIT,
      description = "Show this help and end.")
  @SuppressWarnings("unused") // picocli acts on it
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Print the version and end.")
  @SuppressWarnings("unused") // picocli acts on it
  private boolean version;

  @Option(
      names = "--debug",
      scope = CommandLine.ScopeType.INHERIT,
      description = "Show stack traces of failures.")
  private boolean debug;

  @CommandLine.Spec private CommandSpec spec;

  private Tagfabric() {}

  public static void main(String[] args) {
    PrintWriter err = writer(System.err);
    Optional<String> unread = LocaleCheck.complaint(List.of(args));
    if (unread.isPresent()) {
      err.println(NAME + ": " + unread.get());
      System.exit(ExitCode.USAGE);
    }
    System.exit(execute(writer(System.out), err, args));
  }

  private static PrintWriter writer(OutputStream stream) {
    return new PrintWriter(new OutputStreamWriter(stream, Charset.defaultCharset()), true);
  }

  static int execute(PrintWriter out, PrintWriter err, String... args) {
    List<String> words = List.of(args);
    Tagfabric root = new Tagfabric();
    CommandLine command = commandLine(root, entry -> words.contains(entry.name()));
    command.setOut(out);
    command.setErr(err);
    command.setUsageHelpAutoWidth(true);
    command.setParameterExceptionHandler(Tagfabric::onUsageError);
    command.setExecutionExceptionHandler(root::onFailure);
    return command.execute(args);
  }

  /**
   * What the command understands, to parse words or to show help.
   *
   * @param words those of the commands of modules that they name have their options
   */
  public static CommandLine commandLine(List<String> words) {
    return commandLine(new Tagfabric(), entry -> words.contains(entry.name()));
  }

  /** The command with the options of all its commands, for the completion of a shell. */
  static CommandLine withAllCommands() {
    return commandLine(new Tagfabric(), Tagfabric::isThere);
  }

  private static boolean isThere(Registry.Entry entry) {
    String file = entry.className().replace('.', '/') + ".class";
    return Tagfabric.class.getClassLoader().getResource(file) != null;
  }

  private static CommandLine commandLine(Tagfabric root, Predicate<Registry.Entry> isLoaded) {
    CommandLine command = new CommandLine(root);
    command.addSubcommand(new RunCommand());
    command.addSubcommand(new ProgramsCommand());
    command.addSubcommand(new ClassPathCommand());
    command.addSubcommand(new CompletionCommand());
    addCommandsOfModules(command, isLoaded);
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.getSubcommands().get("run").setStopAtPositional(true);
    return command;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given");
  }

  /** Only the command that is called gets its class; the others are a name and a line of help. */
  private static void addCommandsOfModules(CommandLine root, Predicate<Registry.Entry> isLoaded) {
    Registry commands = Registry.load(Tagfabric.class.getClassLoader(), Registry.COMMANDS);
    for (Registry.Entry entry : commands.entries()) {
      if (isLoaded.test(entry)) {
        root.addSubcommand(entry.name(), instance(entry));
      } else {
        CommandSpec unloaded = CommandSpec.create();
        unloaded.usageMessage().description(entry.help());
        root.addSubcommand(entry.name(), unloaded);
      }
    }
  }

  private static Object instance(Registry.Entry entry) {
    try {
      return Class.forName(entry.className()).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException broken) {
      throw new IllegalStateException(
          "command " + entry.name() + ": cannot create " + entry.className(), broken);
    }
  }

  private static int onUsageError(ParameterException mistake, String[] args) {
    CommandLine command = mistake.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    PrintWriter err = command.getErr();
    err.println(name + ": " + sentence(mistake));
    if (args.length == 0) {
      command.usage(err);
    } else {
      err.println("Try `" + name + " --help`.");
    }
    err.flush();
    return ExitCode.USAGE;
  }

  private static String sentence(ParameterException mistake) {
    CommandLine command = mistake.getCommandLine();
    if (mistake instanceof UnmatchedArgumentException unmatched
        && !command.getSubcommands().isEmpty()
        && !unmatched.getUnmatched().get(0).startsWith("-")) {
      String word = unmatched.getUnmatched().get(0);
      return "unknown command '"
          + word
          + "'"
          + Spelling.nearest(word, command.getSubcommands().keySet())
              .map(near -> ", did you mean " + near + "?")
              .orElse("");
    }
    String text = mistake.getMessage();
    return Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }

  /** What to do if a limit of the system is the cause; Java knows it by this text alone. */
  static Optional<String> tooManyFiles(Throwable failure) {
    Throwable first = failure;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    return Optional.ofNullable(first.getMessage())
        .filter(text -> text.contains("Too many open files"))
        .map(text -> text + ", raise the limit of open files (ulimit -n)");
  }

  private int onFailure(Exception failure, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    boolean ours =
        failure instanceof UsageException
            || failure instanceof SettingsException
            || failure instanceof LaunchException;
    String text = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    String reason = ours ? text : failure + " (--debug shows where)";
    err.println(NAME + ": " + tooManyFiles(failure).orElse(reason));
    if (debug || (command.getCommand() instanceof RunCommand run && run.isVerbose())) {
      failure.printStackTrace(err);
    }
    err.flush();
    return failure instanceof UsageException || failure instanceof SettingsException
        ? ExitCode.USAGE
        : ExitCode.FAILED;
  }
}
