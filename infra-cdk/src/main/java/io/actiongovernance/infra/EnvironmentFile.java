package io.actiongovernance.infra;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.queue.ActionQueues;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.json.Json.InvalidJson;
import io.actiongovernance.json.Json.NumberOutOfRange;
import io.actiongovernance.outcome.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads environments from their files, such as {@code environments/dev.json}. The fields are the
 * components of {@link Environment} in {@code snake_case}. Only fields that most environments do
 * not need may be omitted: account, region, domain, emulator, settings, quotas, backup,
 * without_backup, tables, budget and reports. Without account and region, nothing is deployed.
 */
final class EnvironmentFile {
  /** The folder of the files. The app and its tests run in the module's folder. */
  static final Path FOLDER = Path.of("environments");

  static final String ENDING = ".json";

  /**
   * The form of an environment's name. It is short, because the longest names, those of roles, have
   * at most 64 characters: prefix, function and region.
   */
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?");

  /** The retentions of a log group that CloudWatch permits, other than unlimited. */
  private static final Set<Integer> LOG_DAYS =
      Set.of(
          1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557,
          2922, 3288, 3653);

  /** Limits of a function's memory, in MB, as Lambda accepts it. */
  private static final int LEAST_MEMORY = 128;

  private static final int MOST_MEMORY = 10_240;

  private static final int MOST_REQUESTS = 1_000_000;
  private static final int LONGEST = 500;

  /** The most streams. Each is a running function, and an account begins with a thousand. */
  private static final int MOST_STREAMS = 100_000;

  private static final int MOST_AWAKE = 100;

  /** The highest budget, in USD a day for an account. */
  private static final int MOST_BUDGET = 1_000_000;

  private static final String NONE = "none";

  private EnvironmentFile() {}

  /**
   * The environment of this name.
   *
   * @throws IllegalArgumentException if it has no file, or if a field of the file is invalid; the
   *     message is one sentence that names both
   */
  static Environment read(Path folder, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "The name of an environment must be up to ten lower-case letters, digits and hyphens: "
              + name);
    }
    Path file = folder.resolve(name + ENDING);
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException(
          "There is no environment named " + name + ". Choose one with " + choices(folder));
    }
    try {
      Fields fields = new Fields(object(file), "", true);
      Environment environment = environment(name, fields);
      fields.done();
      return environment;
    } catch (Problem e) {
      throw wrong(file, e.sentence(), e);
    } catch (InvalidJson | NumberOutOfRange | IllegalArgumentException e) {
      throw wrong(file, String.valueOf(e.getMessage()), e);
    }
  }

  private static IllegalArgumentException wrong(Path file, String sentence, Exception cause) {
    return new IllegalArgumentException(file + ": " + sentence, cause);
  }

  /** The option that selects an environment, with its possible values. */
  static String choices(Path folder) {
    return "-c env=" + String.join("|", names(folder));
  }

  /**
   * Refuses an environment if another one in the same account and region has names among its own.
   * For example, {@code governance-prod-*} also matches the names of {@code prod-2}, in rights and
   * in the commands of the runbook. An environment that states no place counts as being in the same
   * one.
   *
   * @param folder the folder of all environments' files
   * @throws IllegalArgumentException with a sentence, if there is such an environment
   */
  static void requireApart(Path folder, Environment environment) {
    String name = environment.name();
    for (String other : names(folder)) {
      boolean among = other.startsWith(name + "-") || name.startsWith(other + "-");
      if (among && NAME.matcher(other).matches()) {
        Place there = read(folder, other).place();
        if (there == null || environment.place() == null || there.equals(environment.place())) {
          throw new IllegalArgumentException(
              ("Of the names %s and %s, one begins with the other and a hyphen, so rights to one"
                      + " environment reach into the other. Give one of them another name, or write"
                      + " another account or region into its file.")
                  .formatted(name, other));
        }
      }
    }
  }

  private static List<String> names(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(ENDING) && !file.endsWith(DeploymentRecord.ENDING))
          .map(file -> file.substring(0, file.length() - ENDING.length()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectNode object(Path file) throws InvalidJson, NumberOutOfRange {
    byte[] text;
    try {
      text = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (Json.parse(text) instanceof ObjectNode object) {
      return object;
    }
    throw new IllegalArgumentException("The file must hold one object.");
  }

  private static Environment environment(String name, Fields file) {
    int queues = whole(file, "queues", 1, ActionQueues.MOST);
    return new Environment(
        name,
        flag(file, "keeps_data"),
        logDays(file),
        whole(file, "memory", LEAST_MEMORY, MOST_MEMORY),
        ConcurrencyFields.read(file, queues),
        queues,
        whole(file, "requests_per_second", 1, MOST_REQUESTS),
        file.texts("models", 1, Environment.MOST_MODELS, LONGEST),
        flag(file, "alarms"),
        flag(file, "firewall"),
        flag(file, "traced"),
        domain(file),
        emulator(file),
        settings(file),
        quotas(file),
        place(file),
        streams(file),
        backup(file),
        withoutBackup(file),
        new Readiness(
            whole(file, "awake", 0, MOST_AWAKE),
            flag(file, "gradual"),
            flag(file, "canary"),
            reports(file)),
        TableFields.read(file),
        file.has("budget")
            ? OptionalInt.of(whole(file, "budget", 1, MOST_BUDGET))
            : OptionalInt.empty());
  }

  private static boolean flag(Fields fields, String name) {
    Boolean value = fields.flagOrNull(name);
    if (value == null) {
      throw Problem.missing(fields.param(name));
    }
    return value;
  }

  static int whole(Fields fields, String name, int least, int most) {
    return (int) fields.whole(name, least, most);
  }

  private static int logDays(Fields file) {
    int days = whole(file, "log_days", 1, 3653);
    if (!LOG_DAYS.contains(days)) {
      throw Problem.invalid(
          "log_days",
          "log_days must be a number of days that CloudWatch takes, such as 1, 7, 30, 90 or 365.");
    }
    return days;
  }

  private static List<String> reports(Fields file) {
    List<String> named = file.textsOrNull("reports", 0, Readiness.MOST_REPORTS, LONGEST);
    Set<String> functions = new HashSet<>();
    Routes.all().forEach(route -> functions.add(route.operation()));
    Trigger.bindings().forEach(binding -> functions.add(binding.function()));
    List<String> reports = named == null ? List.of() : named;
    for (String name : reports) {
      if (!functions.contains(name)) {
        throw Problem.invalid(
            "reports", "reports must name functions, but there is none named " + name + ".");
      }
    }
    return reports;
  }

  private static OptionalInt streams(Fields file) {
    if (isNone(file, "streams")) {
      return OptionalInt.empty();
    }
    JsonNode value = file.value("streams");
    if (value == null) {
      throw Problem.missing("streams");
    }
    if (!value.isNumber()) {
      throw Problem.invalid("streams", "streams must be \"none\", or a number.");
    }
    return OptionalInt.of(whole(file, "streams", 1, MOST_STREAMS));
  }

  /** Returns whether the field has the value that means none. */
  static boolean isNone(Fields file, String name) {
    JsonNode value = file.value(name);
    return value != null && NONE.equals(value.textValue());
  }

  private static @Nullable Place place(Fields file) {
    return file.has("account") || file.has("region")
        ? new Place(file.text("account", 1, LONGEST), file.text("region", 1, LONGEST))
        : null;
  }

  private static @Nullable Backup backup(Fields file) {
    if (!file.has("backup") || isNone(file, "backup")) {
      return null;
    }
    Fields fields = file.fields("backup");
    Backup backup =
        new Backup(
            fields.text("vault", 1, LONGEST),
            fields.has("keep_days")
                ? whole(fields, "keep_days", 1, Backup.MOST_DAYS)
                : Backup.KEEP_DAYS);
    fields.done();
    return backup;
  }

  private static @Nullable String withoutBackup(Fields file) {
    String givenUp = file.textOrNull("without_backup", 1, LONGEST);
    if (givenUp != null && file.has("backup") && !isNone(file, "backup")) {
      throw Problem.invalid(
          "without_backup",
          "without_backup states what is given up without copies, but backup makes copies. Leave"
              + " one of them out.");
    }
    return givenUp;
  }

  private static @Nullable Domain domain(Fields file) {
    Fields fields = file.fieldsOrNull("domain");
    if (fields == null) {
      return null;
    }
    Domain domain = new Domain(fields.text("name", 1, 253), fields.text("certificate", 1, LONGEST));
    fields.done();
    return domain;
  }

  private static @Nullable Emulator emulator(Fields file) {
    Fields fields = file.fieldsOrNull("emulator");
    if (fields == null) {
      return null;
    }
    URI endpoint = address(fields, "endpoint");
    boolean full = Boolean.TRUE.equals(fields.flagOrNull("full"));
    Emulator emulator =
        fields.has("objects")
            ? new Emulator(endpoint, address(fields, "objects"), full)
            : new Emulator(endpoint, Emulator.at(endpoint).objects(), full);
    fields.done();
    return emulator;
  }

  private static URI address(Fields fields, String name) {
    String text = fields.text(name, 1, LONGEST);
    try {
      return URI.create(text);
    } catch (IllegalArgumentException e) {
      throw Problem.invalid(
          fields.param(name),
          fields.param(name) + " must be an address, such as http://127.0.0.1:4566.");
    }
  }

  private static Map<String, String> settings(Fields file) {
    Map<String, String> settings = new TreeMap<>();
    Fields fields = file.fieldsOrNull("settings");
    if (fields != null) {
      for (String name : FunctionSettings.NAMES) {
        String value = fields.textOrNull(name, 0, LONGEST);
        if (value != null) {
          settings.put(name, value);
        }
      }
      fields.done();
    }
    return FunctionSettings.checked(settings);
  }

  private static List<Quota> quotas(Fields file) {
    List<Fields> listed = file.listOrNull("quotas", 0, 50);
    return listed == null ? List.of() : listed.stream().map(EnvironmentFile::quota).toList();
  }

  private static Quota quota(Fields fields) {
    Quota quota =
        new Quota(
            fields.text("service", 1, LONGEST),
            fields.text("quota", 1, LONGEST),
            fields.whole("value", 1, Integer.MAX_VALUE),
            fields.text("why", 1, LONGEST));
    fields.done();
    return quota;
  }
}
