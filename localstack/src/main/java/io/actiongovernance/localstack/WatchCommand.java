package io.actiongovernance.localstack;

import io.actiongovernance.localstack.watch.Watcher;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code localstack/watch}: follows in a terminal what happens, until Ctrl-C. */
@Command(
    name = "watch",
    mixinStandardHelpOptions = true,
    description = "Follows events, plans and actions as they happen, one line each.")
final class WatchCommand implements Callable<Integer> {
  @Option(
      names = "--data",
      defaultValue = ".governance",
      description = "The running stack's data folder (default: ${DEFAULT-VALUE}).")
  private Path data = Path.of(".governance");

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "The stack's port, if it is not the one in the data folder.")
  private @Nullable Integer port;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The service root of another deployment; needs --key.")
  private @Nullable URI url;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "The key to watch with, instead of the one in the data folder.")
  private @Nullable String key;

  @Option(names = "--test", description = "Watch what happens in test mode.")
  private boolean test;

  @Option(names = "--event-type", paramLabel = "GLOB", description = "Only events of this type.")
  private @Nullable String eventType;

  @Option(names = "--source", description = "Only events from this source.")
  private @Nullable String source;

  @Option(names = "--workspace", paramLabel = "ID", description = "Only events of this workspace.")
  private @Nullable String workspace;

  @Option(names = "--entity", paramLabel = "KEY", description = "Only events that led to this.")
  private @Nullable String entity;

  @Option(
      names = "--after",
      paramLabel = "CURSOR|EVENT",
      description = "Begin after this one instead of now.")
  private @Nullable String after;

  @Option(
      names = "--json",
      negatable = true,
      description = "One JSON object a line: the default where standard output is no terminal.")
  private @Nullable Boolean json;

  /** Set by the script, which knows. */
  @Option(names = "--terminal", hidden = true)
  private boolean terminal;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Watcher watcher =
        new Watcher(
            options(),
            spec.commandLine().getOut(),
            spec.commandLine().getErr(),
            InstantSource.system());
    try {
      watcher.watch();
    } catch (Watcher.Refused e) {
      throw new Problem(String.valueOf(e.getMessage()));
    }
    return 0;
  }

  private Watcher.Options options() throws IOException, Problem {
    URI root = url;
    String secret = key;
    if (root == null || secret == null) {
      Path folder = data.toAbsolutePath().normalize();
      Credentials running =
          DataFolder.credentials(folder)
              .orElseThrow(() -> new Problem("No stack has been started on " + folder + "."));
      if (url != null) {
        throw new Problem("--url needs --key.");
      }
      root = port == null ? running.baseUrl() : URI.create("http://127.0.0.1:" + port);
      if (secret == null) {
        secret = test ? running.keys().test() : running.keys().live();
      }
    }
    boolean asJson = json == null ? !terminal : json;
    boolean colours = terminal && System.getenv("NO_COLOR") == null;
    return new Watcher.Options(root, secret, filters(), after, asJson, colours);
  }

  private Map<String, String> filters() {
    Map<String, String> filters = new TreeMap<>();
    put(filters, "event_type", eventType);
    put(filters, "source", source);
    put(filters, "workspace_id", workspace);
    put(filters, "entity", entity);
    return filters;
  }

  private static void put(Map<String, String> filters, String name, @Nullable String value) {
    if (value != null) {
      filters.put(name, value);
    }
  }
}
