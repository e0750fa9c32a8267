package io.actiongovernance.localstack.gov;

import io.actiongovernance.localstack.watch.Watcher;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code gov watch}, and {@code localstack/watch}: shows in a terminal what happens, until the user
 * presses Ctrl-C.
 */
@Command(
    name = "watch",
    description = "Follows events, plans and actions as they happen, one line each.")
final class WatchCommand implements Callable<Integer> {
  @Option(names = "--event-type", paramLabel = "GLOB", description = "Only events of this type.")
  private @Nullable String eventType;

  @Option(names = "--source", description = "Only events from this source.")
  private @Nullable String source;

  @Option(names = "--workspace", paramLabel = "ID", description = "Only events of this workspace.")
  private @Nullable String workspace;

  @Option(
      names = "--entity",
      paramLabel = "KEY",
      description = "Only events that led to this entity.")
  private @Nullable String entity;

  @Option(
      names = "--after",
      paramLabel = "CURSOR|EVENT",
      description = "Begin after this event instead of now.")
  private @Nullable String after;

  @Option(
      names = Output.JSON,
      negatable = true,
      description = "One JSON object a line: the default where standard output is no terminal.")
  private @Nullable Boolean json;

  @Mixin private Connection connection = new Connection();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Surroundings around = connection.surroundings();
    Connection.Authorised service = connection.authorised();
    boolean asJson = json == null ? !around.terminal() : json;
    Watcher.Options options =
        new Watcher.Options(
            service.baseUrl(), service.key(), filters(), after, asJson, around.colours());
    Watcher watcher =
        new Watcher(
            options,
            spec.commandLine().getOut(),
            spec.commandLine().getErr(),
            InstantSource.system());
    try {
      watcher.watch();
    } catch (Watcher.Refused e) {
      throw Failure.of(String.valueOf(e.getMessage()));
    }
    return ExitCode.DONE;
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
