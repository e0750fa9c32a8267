package io.actiongovernance.functions.settings;

import io.actiongovernance.access.PurposeKeys;
import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.access.WaitSlots.Pool;
import io.actiongovernance.export.ExportJob;
import io.actiongovernance.functions.queue.ActionQueues;
import io.actiongovernance.people.PeopleTimes;
import io.actiongovernance.store.TableNames;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All settings, read in one place. On AWS each is an environment variable of the function, on the
 * local stack of the process.
 *
 * @param prefix {@code GOVERNANCE_PREFIX}: what the names of tables, queues and the bus begin with;
 *     default {@code governance}
 * @param tables {@code GOVERNANCE_TABLE_GENERATIONS}: the generations of those tables that were
 *     restored, as {@code state=2,limits=3}; default the first of each. Danger: a table of another
 *     generation is another table; on AWS the deployment says which there are
 * @param baseUrl {@code GOVERNANCE_BASE_URL}: the service root, as links in answers name it
 * @param keys {@code GOVERNANCE_MASTER_KEY}: 32 bytes, base64, or several such, separated by
 *     commas: what is derived from the first seals credentials, cursors and stored answers, and
 *     from each what opens what was sealed under it. Danger: whoever has one can read all that is
 *     sealed under it, and without it that is lost. On AWS a function has the keys of its purposes
 *     alone, and {@code GOVERNANCE_KEY_SECRETS} says which secrets hold them; or {@code none},
 *     where it seals and opens nothing, and fails if it tries
 * @param dataKey {@code GOVERNANCE_DATA_KEY}: the ARN of the key in KMS that data keys are wrapped
 *     under; default none: then what was sealed under data keys is not opened. Danger: without that
 *     key it is lost
 * @param sealsUnderDataKeys {@code GOVERNANCE_DATA_KEYS}: {@code seal} has what is stored sealed
 *     under data keys of its tenant, mode and purpose, {@code open} only opens what was; default
 *     {@code open}
 * @param unauthenticatedPerMinute {@code GOVERNANCE_UNAUTHENTICATED_PER_MINUTE}: requests without a
 *     valid key, per minute and source address; default 60
 * @param egressAllow {@code GOVERNANCE_EGRESS_ALLOW}: comma-separated CIDRs that the egress guard
 *     lets through, plain HTTP included for connectors; default none. Danger: an address here can
 *     be reached by whoever may install a connector
 * @param longestStream {@code GOVERNANCE_STREAM_MAX_SECONDS}: how long an event stream stays open
 *     before its client has to resume it, 1 to 840 seconds; default 300. Danger: on AWS every open
 *     stream is a running function
 * @param egressCa {@code GOVERNANCE_EGRESS_CA}: path of a PEM file with further trusted roots;
 *     default none
 * @param stateMachines {@code GOVERNANCE_STATE_MACHINES}: what the ARNs of the state machines begin
 *     with, up to their names; default those of the local stack
 * @param exportsBucket {@code GOVERNANCE_EXPORTS_BUCKET}: the bucket that holds the files of
 *     exports; default the prefix and {@code -exports}
 * @param changesBucket {@code GOVERNANCE_CHANGES_BUCKET}: the bucket that holds the records of
 *     changes that could not be relayed, for two weeks; default the prefix and {@code -changes}.
 *     Danger: items of all tenants are in it
 * @param webhookRetry {@code GOVERNANCE_WEBHOOK_RETRY_SECONDS}: how long a delivery waits before
 *     each attempt, comma-separated seconds; as many attempts are made as there are numbers;
 *     default {@code 0,30,120,600,3600,21600}
 * @param rotateOverlap {@code GOVERNANCE_ROTATE_OVERLAP_SECONDS}: how long a webhook secret still
 *     signs after its rotation, unless the request says otherwise; default 86,400. Danger: a secret
 *     that leaked is taken for good that long
 * @param tellsEverything {@code GOVERNANCE_TELL_EVERYTHING}: whether facts that no webhook endpoint
 *     hears of are put on the bus too, for those who attach rules of their own; default false.
 *     Danger: each costs as much as a write
 * @param actionQueues {@code GOVERNANCE_ACTION_QUEUES}: how many queues carry actions, 1 to 32;
 *     default 1. Danger: what is sent through a queue that is not there fails; on AWS the
 *     deployment makes as many as it tells its functions
 * @param resultLife {@code GOVERNANCE_RESULT_SECONDS}: how long what a call came back with can be
 *     read, to 604,800; default 86,400. 0 means 120: only to hand it over. Danger: as long as that,
 *     what source systems answered is in the tables, sealed
 * @param waitSlots {@code GOVERNANCE_WAIT_SLOTS}: how many requests of a tenant may wait at once
 *     for longer than a second for what comes of a plan, approvals and undos apart, 0 to 500;
 *     default 50. Danger: on AWS each is a running function
 * @param waitsOfFunction {@code GOVERNANCE_WAITS_OF_FUNCTION}: how many requests of all tenants may
 *     wait so in this function, 1 to 1,000; default as many as come. The deployment says it of the
 *     functions that it keeps a concurrency for: four fifths of that, so that the rest answers who
 *     does not wait
 * @param mcpOrigins {@code GOVERNANCE_MCP_ORIGINS}: the origins, besides the base URL's, of pages
 *     that may speak to the MCP gateway, comma-separated; default none. Danger: such a page does
 *     with a key whatever it can
 * @param otlpEndpoint {@code GOVERNANCE_OTLP_ENDPOINT}: the address to whose {@code /v1/traces}
 *     spans are posted, OTLP over HTTP in JSON; default none, and then no span is made. It may be
 *     an inner one, over plain HTTP too, whatever {@code GOVERNANCE_EGRESS_ALLOW} says. Danger: who
 *     hears there learns of every action of every tenant, though neither its arguments nor what
 *     came back
 * @param peopleTimes {@code GOVERNANCE_SESSION_SECONDS}: how long somebody is signed in at the
 *     most, default 43,200; {@code GOVERNANCE_SESSION_IDLE_SECONDS}: how long without doing
 *     anything, default 3,600; {@code GOVERNANCE_ISSUER_SECONDS}: how long what an issuer said of
 *     somebody counts, default 43,200. Each 1 to 2,592,000. Danger: a browser that is left open can
 *     be used by others that long. {@code GOVERNANCE_POLICY_EDITOR_SECONDS}: for how long nobody
 *     approves who changed what an approval rests on, where its policy says none and asks for
 *     passkeys or groups; {@code GOVERNANCE_PASSKEY_SETTLE_SECONDS}: how long a new passkey decides
 *     nothing, unless an older one signed for it. Each 0 to 2,592,000, default 86,400
 * @param devIssuer {@code GOVERNANCE_DEV_ISSUER}: the issuer of the local stack, which says it of
 *     itself, and is reached over plain HTTP on this machine whatever {@code
 *     GOVERNANCE_EGRESS_ALLOW} says; default none, and on AWS never another. Danger: whoever asks
 *     is whoever they say there
 * @param modelCallsPerHour {@code GOVERNANCE_MODEL_CALLS_PER_HOUR}: how many requests an operator
 *     may make to its model in an hour, 1 to 1,000,000, and its tenant five times as many; default
 *     600. Danger: each costs money, and whoever may ingest events has them made
 */
public record Settings(
    String prefix,
    TableNames tables,
    URI baseUrl,
    PurposeKeys keys,
    @Nullable String dataKey,
    boolean sealsUnderDataKeys,
    int unauthenticatedPerMinute,
    List<String> egressAllow,
    Duration longestStream,
    @Nullable String egressCa,
    String stateMachines,
    String exportsBucket,
    String changesBucket,
    List<Duration> webhookRetry,
    Duration rotateOverlap,
    boolean tellsEverything,
    ActionQueues actionQueues,
    Duration resultLife,
    int waitSlots,
    @Nullable Pool waitsOfFunction,
    List<String> mcpOrigins,
    @Nullable URI otlpEndpoint,
    PeopleTimes peopleTimes,
    @Nullable URI devIssuer,
    int modelCallsPerHour) {

  /** The name of the setting that holds the master key. */
  public static final String MASTER_KEY = "GOVERNANCE_MASTER_KEY";

  /** What it holds where there is none. */
  public static final String NO_MASTER_KEY = "none";

  /** The name of the setting that holds the keys of some purposes, which nobody sets by hand. */
  public static final String PURPOSE_KEYS = "GOVERNANCE_PURPOSE_KEYS";

  /** The name of the setting that says which key of KMS data keys are wrapped under. */
  public static final String DATA_KEY = "GOVERNANCE_DATA_KEY";

  /** The name of the setting that says whether anything is sealed under data keys. */
  public static final String DATA_KEYS = "GOVERNANCE_DATA_KEYS";

  /** The name of the setting that says how many queues carry actions. */
  public static final String ACTION_QUEUES = "GOVERNANCE_ACTION_QUEUES";

  /** The name of the setting that says which generations of tables are in use. */
  public static final String TABLE_GENERATIONS = "GOVERNANCE_TABLE_GENERATIONS";

  /** The name of the setting that says how many requests may wait in this function. */
  public static final String WAITS_OF_FUNCTION = "GOVERNANCE_WAITS_OF_FUNCTION";

  /** The name of the setting that says which roots are trusted besides. */
  public static final String EGRESS_CA = "GOVERNANCE_EGRESS_CA";

  /** The name of the setting that says where spans are posted. */
  public static final String OTLP_ENDPOINT = "GOVERNANCE_OTLP_ENDPOINT";

  /** The name of the setting that says where the issuer of the local stack is. */
  public static final String DEV_ISSUER = "GOVERNANCE_DEV_ISSUER";

  /** The name of the setting that says into which bucket changes are put that were given up. */
  public static final String CHANGES_BUCKET = "GOVERNANCE_CHANGES_BUCKET";

  /** The name of the setting that says how often models are asked. */
  public static final String MODEL_CALLS_PER_HOUR = "GOVERNANCE_MODEL_CALLS_PER_HOUR";

  /** How long a request may wait for a plan or an undo to be disposed. */
  public static final Duration LONGEST_WAIT = Duration.ofSeconds(25);

  /** What the ARNs of the state machines on the local stack begin with. */
  public static final String LOCAL_STATE_MACHINES =
      "arn:aws:states:us-east-1:000000000000:stateMachine:";

  /** The longest that a stream may be set to stay open: a function ends after 15 minutes. */
  private static final int MOST_STREAM_SECONDS = 840;

  /** The longest that a result may be set to be kept: as long as the file of an export is. */
  private static final Duration LONGEST_RESULT = ExportJob.FILE_LIVES;

  /** How long a result is kept that is only to be handed over. */
  private static final Duration HANDED_OVER = Duration.ofMinutes(2);

  /** The most that are looked at in one read. */
  private static final int MOST_WAIT_SLOTS = 500;

  private static final int MOST_MODEL_CALLS = 1_000_000;

  private static final int MOST_WAITS_OF_FUNCTION = 1_000;

  /** The longest that somebody may be signed in: 30 days. */
  private static final long MOST_SESSION_SECONDS = 2_592_000;

  private static final String WEBHOOK_RETRY = "0,30,120,600,3600,21600";

  /** The name of the deployed function, as its route or trigger has it; empty where it has none. */
  public static String function(Map<String, String> environment) {
    return environment
        .getOrDefault("AWS_LAMBDA_FUNCTION_NAME", "")
        .replaceFirst("^" + prefix(environment) + "-", "");
  }

  /** The prefix alone, for functions that need nothing else. */
  public static String prefix(Map<String, String> environment) {
    return environment.getOrDefault("GOVERNANCE_PREFIX", "governance");
  }

  /** The names of the tables alone, for functions that need nothing else. */
  public static TableNames tables(Map<String, String> environment) {
    return TableNames.of(prefix(environment), environment.getOrDefault(TABLE_GENERATIONS, ""));
  }

  /** That one alone, for functions that need little else. */
  public static URI baseUrl(Map<String, String> environment) {
    return URI.create(environment.getOrDefault("GOVERNANCE_BASE_URL", "http://localhost:8080"));
  }

  /** The same of a function that seals and opens for these purposes alone. */
  public Settings sealingFor(Set<Purpose> purposes) {
    return new Settings(
        prefix,
        tables,
        baseUrl,
        keys.only(purposes),
        dataKey,
        sealsUnderDataKeys,
        unauthenticatedPerMinute,
        egressAllow,
        longestStream,
        egressCa,
        stateMachines,
        exportsBucket,
        changesBucket,
        webhookRetry,
        rotateOverlap,
        tellsEverything,
        actionQueues,
        resultLife,
        waitSlots,
        waitsOfFunction,
        mcpOrigins,
        otlpEndpoint,
        peopleTimes,
        devIssuer,
        modelCallsPerHour);
  }

  /** The settings that the environment gives. */
  public static Settings of(Map<String, String> environment) {
    String allow = environment.getOrDefault("GOVERNANCE_EGRESS_ALLOW", "");
    return new Settings(
        prefix(environment),
        tables(environment),
        baseUrl(environment),
        keys(environment),
        environment.get(DATA_KEY),
        sealsUnderDataKeys(environment),
        Integer.parseInt(environment.getOrDefault("GOVERNANCE_UNAUTHENTICATED_PER_MINUTE", "60")),
        list(allow),
        longestStream(environment),
        environment.get(EGRESS_CA),
        environment.getOrDefault("GOVERNANCE_STATE_MACHINES", LOCAL_STATE_MACHINES),
        environment.getOrDefault("GOVERNANCE_EXPORTS_BUCKET", prefix(environment) + "-exports"),
        changesBucket(environment),
        seconds(environment.getOrDefault("GOVERNANCE_WEBHOOK_RETRY_SECONDS", WEBHOOK_RETRY)),
        seconds(environment.getOrDefault("GOVERNANCE_ROTATE_OVERLAP_SECONDS", "86400")).getFirst(),
        tellsEverything(environment),
        new ActionQueues(Integer.parseInt(environment.getOrDefault(ACTION_QUEUES, "1"))),
        resultLife(environment),
        waitSlots(environment),
        waitsOfFunction(environment),
        list(environment.getOrDefault("GOVERNANCE_MCP_ORIGINS", "")),
        otlpEndpoint(environment),
        peopleTimes(environment),
        devIssuer(environment),
        modelCallsPerHour(environment));
  }

  private static PurposeKeys keys(Map<String, String> environment) {
    String some = environment.get(PURPOSE_KEYS);
    return some == null ? derived(require(environment, MASTER_KEY)) : PurposeKeys.read(some);
  }

  /** The keys that are derived from master keys, as {@code GOVERNANCE_MASTER_KEY} holds them. */
  public static PurposeKeys derived(String masterKeys) {
    return masterKeys.equals(NO_MASTER_KEY)
        ? PurposeKeys.none()
        : PurposeKeys.derived(
            Arrays.stream(masterKeys.strip().split("\\s*,\\s*"))
                .map(Base64.getDecoder()::decode)
                .toList());
  }

  private static boolean sealsUnderDataKeys(Map<String, String> environment) {
    return switch (environment.getOrDefault(DATA_KEYS, "open")) {
      case "seal" -> true;
      case "open" -> false;
      default -> throw new IllegalStateException(DATA_KEYS + " must be seal or open.");
    };
  }

  private static PeopleTimes peopleTimes(Map<String, String> environment) {
    return new PeopleTimes(
        sessionSeconds(environment, "GOVERNANCE_SESSION_SECONDS", 43_200),
        sessionSeconds(environment, "GOVERNANCE_SESSION_IDLE_SECONDS", 3_600),
        sessionSeconds(environment, "GOVERNANCE_ISSUER_SECONDS", 43_200),
        untilOne(environment, "GOVERNANCE_POLICY_EDITOR_SECONDS"),
        untilOne(environment, "GOVERNANCE_PASSKEY_SETTLE_SECONDS"));
  }

  /** For how long something does not count yet: a day unless it is said. */
  private static Duration untilOne(Map<String, String> environment, String name) {
    long seconds = Long.parseLong(environment.getOrDefault(name, "86400"));
    if (seconds < 0 || seconds > MOST_SESSION_SECONDS) {
      throw new IllegalStateException(name + " must be from 0 to " + MOST_SESSION_SECONDS + ".");
    }
    return Duration.ofSeconds(seconds);
  }

  private static Duration sessionSeconds(
      Map<String, String> environment, String name, long otherwise) {
    long seconds = Long.parseLong(environment.getOrDefault(name, Long.toString(otherwise)));
    if (seconds < 1 || seconds > MOST_SESSION_SECONDS) {
      throw new IllegalStateException(name + " must be from 1 to " + MOST_SESSION_SECONDS + ".");
    }
    return Duration.ofSeconds(seconds);
  }

  /** That one alone, for who puts there what it cannot read. */
  public static String changesBucket(Map<String, String> environment) {
    return environment.getOrDefault(CHANGES_BUCKET, prefix(environment) + "-changes");
  }

  private static @Nullable URI devIssuer(Map<String, String> environment) {
    String text = environment.get(DEV_ISSUER);
    return text == null ? null : URI.create(text);
  }

  /** That one alone, for who decides whether anything is posted there. */
  public static @Nullable URI otlpEndpoint(Map<String, String> environment) {
    String text = environment.getOrDefault(OTLP_ENDPOINT, "").strip();
    if (text.isEmpty()) {
      return null;
    }
    URI uri = URI.create(text.replaceFirst("/+$", ""));
    boolean usable =
        ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
            && uri.getHost() != null
            && uri.getRawUserInfo() == null
            && uri.getRawQuery() == null
            && uri.getRawFragment() == null;
    if (!usable) {
      throw new IllegalStateException(
          OTLP_ENDPOINT + " must be an address, such as https://collector.example:4318.");
    }
    return uri;
  }

  private static int modelCallsPerHour(Map<String, String> environment) {
    int calls = Integer.parseInt(environment.getOrDefault(MODEL_CALLS_PER_HOUR, "600"));
    if (calls < 1 || calls > MOST_MODEL_CALLS) {
      throw new IllegalStateException(
          MODEL_CALLS_PER_HOUR + " must be from 1 to " + MOST_MODEL_CALLS + ".");
    }
    return calls;
  }

  private static int waitSlots(Map<String, String> environment) {
    int slots = Integer.parseInt(environment.getOrDefault("GOVERNANCE_WAIT_SLOTS", "50"));
    if (slots < 0 || slots > MOST_WAIT_SLOTS) {
      throw new IllegalStateException(
          "GOVERNANCE_WAIT_SLOTS must be from 0 to " + MOST_WAIT_SLOTS + ".");
    }
    return slots;
  }

  private static @Nullable Pool waitsOfFunction(Map<String, String> environment) {
    String text = environment.get(WAITS_OF_FUNCTION);
    if (text == null) {
      return null;
    }
    int waits = Integer.parseInt(text);
    if (waits < 1 || waits > MOST_WAITS_OF_FUNCTION) {
      throw new IllegalStateException(
          WAITS_OF_FUNCTION + " must be from 1 to " + MOST_WAITS_OF_FUNCTION + ".");
    }
    return Pool.ofFunction(function(environment), waits);
  }

  private static List<String> list(String text) {
    return text.isBlank() ? List.of() : List.of(text.strip().split("\\s*,\\s*"));
  }

  /** That one alone, for who makes the bucket in which some results are. */
  public static Duration resultLife(Map<String, String> environment) {
    long seconds = Long.parseLong(environment.getOrDefault("GOVERNANCE_RESULT_SECONDS", "86400"));
    if (seconds < 0 || seconds > LONGEST_RESULT.toSeconds()) {
      throw new IllegalStateException(
          "GOVERNANCE_RESULT_SECONDS must be from 0 to " + LONGEST_RESULT.toSeconds() + ".");
    }
    return seconds == 0 ? HANDED_OVER : Duration.ofSeconds(seconds);
  }

  /** That one alone, for functions that need little else. */
  public static boolean tellsEverything(Map<String, String> environment) {
    String text = environment.getOrDefault("GOVERNANCE_TELL_EVERYTHING", "false");
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalStateException("GOVERNANCE_TELL_EVERYTHING must be true or false.");
    };
  }

  private static Duration longestStream(Map<String, String> environment) {
    int seconds =
        Integer.parseInt(environment.getOrDefault("GOVERNANCE_STREAM_MAX_SECONDS", "300"));
    if (seconds < 1 || seconds > MOST_STREAM_SECONDS) {
      throw new IllegalStateException(
          "GOVERNANCE_STREAM_MAX_SECONDS must be from 1 to " + MOST_STREAM_SECONDS + ".");
    }
    return Duration.ofSeconds(seconds);
  }

  private static List<Duration> seconds(String text) {
    return Arrays.stream(text.strip().split("\\s*,\\s*"))
        .map(each -> Duration.ofSeconds(Long.parseLong(each)))
        .toList();
  }

  private static String require(Map<String, String> environment, String name) {
    String value = environment.get(name);
    if (value == null || value.isBlank()) {
      throw new IllegalStateException("The setting " + name + " is missing.");
    }
    return value;
  }
}
