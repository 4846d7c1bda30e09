package io.tagfabric.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what makes a shell complete commands, options and names of programs. */
@Command(
    name = "completion",
    description = "Print a script that makes a shell complete this command.",
    footer = {
      "",
      "Examples:",
      "  . <(tagfabric completion bash)     in ~/.bashrc or ~/.zshrc",
      "  tagfabric completion zsh >DIR/_tagfabric   where zsh's fpath has DIR"
    })
final class CompletionCommand implements Callable<Integer> {
  /** A shell that completes. */
  enum Shell {
    BASH,
    ZSH
  }

  @Parameters(
      paramLabel = "SHELL",
      completionCandidates = Choices.Shells.class,
      description = "bash or zsh")
  private Shell shell;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().getOut().print(script());
    spec.commandLine().getOut().flush();
    return 0;
  }

  private String script() {
    String bash = AutoComplete.bash(Tagfabric.NAME, Tagfabric.withAllCommands());
    return switch (shell) {
      case BASH -> bash;
      case ZSH -> zsh(bash);
    };
  }

  /**
   * zsh runs functions of bash by its bashcompinit. A file of its fpath is the body of a function,
   * which runs for the first time when somebody wants a completion, so it has to give one.
   */
  private static String zsh(String bash) {
    return """
        #compdef tagfabric
        autoload -Uz +X compinit bashcompinit
        (( $+functions[compdef] )) || compinit
        (( $+functions[_bash_complete] )) || bashcompinit
        (( $+functions[compopt] )) || compopt() { : }

        """
        + bash
        + """

        if [[ $funcstack[1] = _tagfabric ]]; then
          _bash_complete -o default -F _complete_tagfabric
        fi
        """;
  }
}
