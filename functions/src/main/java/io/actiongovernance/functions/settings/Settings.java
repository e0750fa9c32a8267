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
 * All settings, read in one place. On AWS each is an environment variable of the function; on the
 * local stack, of the process.
 *
 * @param prefix {@code GOVERNANCE_PREFIX}: prefix of the names of tables, queues and the bus;
 *     default {@code governance}
 * @param tables {@code GOVERNANCE_TABLE_GENERATIONS}: the generations of restored tables, such as
 *     {@code state=2,limits=3}; default the first generation of each. Danger: another generation is
 *     a different table with other data. On AWS the deployment names the generations that exist
 * @param baseUrl {@code GOVERNANCE_BASE_URL}: the service root, which links in responses begin with
 * @param keys {@code GOVERNANCE_MASTER_KEY}: 32 bytes in base64, or several such values, separated
 *     by commas. The keys derived from the first value seal credentials, cursors and stored
 *     answers. The keys derived from each value open what they have sealed. Danger: anyone who has
 *     a master key can read everything sealed under it, and without the key that data is lost. On
 *     AWS a function has only the keys for its purposes, and {@code GOVERNANCE_KEY_SECRETS} names
 *     the secrets that hold them. It is {@code none} if the function seals and opens nothing; the
 *     function then fails if it tries to
 * @param dataKey {@code GOVERNANCE_DATA_KEY}: the ARN of the KMS key that wraps data keys; default
 *     none, and data sealed under data keys cannot then be opened. Danger: without the KMS key that
 *     data is lost
 * @param sealsUnderDataKeys {@code GOVERNANCE_DATA_KEYS}: {@code seal} seals stored data under data
 *     keys of its tenant, mode and purpose; {@code open} only opens such data; default {@code open}
 * @param unauthenticatedPerMinute {@code GOVERNANCE_UNAUTHENTICATED_PER_MINUTE}: permitted requests
 *     without a valid key, per minute and source address; default 60
 * @param egressAllow {@code GOVERNANCE_EGRESS_ALLOW}: comma-separated CIDRs that the egress guard
 *     permits, including plain HTTP for connectors; default none. Danger: anyone who may install a
 *     connector can reach these addresses
 * @param longestStream {@code GOVERNANCE_STREAM_MAX_SECONDS}: the time for which an event stream
 *     stays open before its client has to resume it, 1 to 840 seconds; default 300. Danger: on AWS
 *     every open stream is a running function
 * @param egressCa {@code GOVERNANCE_EGRESS_CA}: path of a PEM file with further trusted roots;
 *     default none
 * @param stateMachines {@code GOVERNANCE_STATE_MACHINES}: the part of the state machines' ARNs
 *     before their names; default that of the local stack
 * @param exportsBucket {@code GOVERNANCE_EXPORTS_BUCKET}: the bucket for the files of exports;
 *     default the prefix and {@code -exports}
 * @param changesBucket {@code GOVERNANCE_CHANGES_BUCKET}: the bucket that keeps the records of
 *     changes that could not be relayed, for two weeks; default the prefix and {@code -changes}.
 *     Danger: it contains items of all tenants
 * @param webhookRetry {@code GOVERNANCE_WEBHOOK_RETRY_SECONDS}: comma-separated waits in seconds,
 *     one before each attempt of a delivery; default {@code 0,30,120,600,3600,21600}
 * @param rotateOverlap {@code GOVERNANCE_ROTATE_OVERLAP_SECONDS}: seconds for which a webhook
 *     secret still signs after its rotation, unless the request specifies another time; default
 *     86,400. Danger: receivers accept a leaked secret for that long
 * @param tellsEverything {@code GOVERNANCE_TELL_EVERYTHING}: whether facts without a listening
 *     webhook endpoint also go on the bus, for rules of the deployer's own; default false. Danger:
 *     each such fact costs as much as a write
 * @param actionQueues {@code GOVERNANCE_ACTION_QUEUES}: number of queues that carry actions, 1 to
 *     32; default 1. Danger: a send to a queue that does not exist fails. On AWS the deployment
 *     creates as many queues as it tells its functions
 * @param resultLife {@code GOVERNANCE_RESULT_SECONDS}: seconds for which a call's result can be
 *     read, at most 604,800; default 86,400. 0 means 120 seconds, only to hand the result over.
 *     Danger: for that long, the answers of source systems are in the tables, sealed
 * @param waitSlots {@code GOVERNANCE_WAIT_SLOTS}: number of a tenant's requests that may wait at
 *     once, for longer than a second, for a plan's result, 0 to 500; default 50. Approvals and
 *     undos do not count. Danger: on AWS each waiting request is a running function
 * @param waitsOfFunction {@code GOVERNANCE_WAITS_OF_FUNCTION}: number of requests of all tenants
 *     that may wait in this way in this function, 1 to 1,000; default unlimited. The deployment
 *     sets it to four fifths of a function's reserved concurrency, if the function has one; the
 *     rest answers requests that do not wait
 * @param mcpOrigins {@code GOVERNANCE_MCP_ORIGINS}: comma-separated origins, besides the base
 *     URL's, of pages that may call the MCP gateway; default none. Danger: such a page can do
 *     everything that a key it has permits
 * @param otlpEndpoint {@code GOVERNANCE_OTLP_ENDPOINT}: the address to whose {@code /v1/traces}
 *     spans are posted, as OTLP over HTTP in JSON; default none, in which case no span is made. The
 *     address may be an internal one, even over plain HTTP, whatever {@code
 *     GOVERNANCE_EGRESS_ALLOW} says. Danger: the endpoint's owner learns of every action of every
 *     tenant, although not of its arguments or its result
 * @param peopleTimes {@code GOVERNANCE_SESSION_SECONDS}: the longest time that a person stays
 *     signed in, default 43,200. {@code GOVERNANCE_SESSION_IDLE_SECONDS}: the longest time that a
 *     person stays signed in without activity, default 3,600. {@code GOVERNANCE_ISSUER_SECONDS}:
 *     time for which an issuer's statement about a person is valid, default 43,200. Each of the
 *     three is from 1 to 2,592,000. Danger: others can use an unattended browser for that long.
 *     {@code GOVERNANCE_POLICY_EDITOR_SECONDS}: time for which a person who changed the basis of an
 *     approval may not approve, if the approval's policy states none and requires passkeys or
 *     groups. {@code GOVERNANCE_PASSKEY_SETTLE_SECONDS}: time for which a new passkey decides
 *     nothing, unless an older one signed for it. Each of the two is from 0 to 2,592,000, default
 *     86,400
 * @param devIssuer {@code GOVERNANCE_DEV_ISSUER}: the local stack's issuer, by the name that it
 *     gives itself. It is reached over plain HTTP on this machine, whatever {@code
 *     GOVERNANCE_EGRESS_ALLOW} says; default none, and on AWS always none. Danger: it can sign
 *     anyone in as any person
 * @param modelCallsPerHour {@code GOVERNANCE_MODEL_CALLS_PER_HOUR}: number of requests that an
 *     operator may make to its model in an hour, 1 to 1,000,000, and five times as many for its
 *     tenant; default 600. Danger: each request costs money, and anyone who may ingest events
 *     causes requests
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

  public static final String MASTER_KEY = "GOVERNANCE_MASTER_KEY";

  /** The value of {@link #MASTER_KEY} if there is no master key. */
  public static final String NO_MASTER_KEY = "none";

  /** The setting that holds the keys of some purposes; it is never set by hand. */
  public static final String PURPOSE_KEYS = "GOVERNANCE_PURPOSE_KEYS";

  public static final String DATA_KEY = "GOVERNANCE_DATA_KEY";

  public static final String DATA_KEYS = "GOVERNANCE_DATA_KEYS";

  public static final String ACTION_QUEUES = "GOVERNANCE_ACTION_QUEUES";

  public static final String TABLE_GENERATIONS = "GOVERNANCE_TABLE_GENERATIONS";

  public static final String WAITS_OF_FUNCTION = "GOVERNANCE_WAITS_OF_FUNCTION";

  public static final String EGRESS_CA = "GOVERNANCE_EGRESS_CA";

  public static final String OTLP_ENDPOINT = "GOVERNANCE_OTLP_ENDPOINT";

  public static final String DEV_ISSUER = "GOVERNANCE_DEV_ISSUER";

  public static final String CHANGES_BUCKET = "GOVERNANCE_CHANGES_BUCKET";

  public static final String MODEL_CALLS_PER_HOUR = "GOVERNANCE_MODEL_CALLS_PER_HOUR";

  /** The longest time a request may wait for the disposal of a plan or an undo. */
  public static final Duration LONGEST_WAIT = Duration.ofSeconds(25);

  /** The prefix of the state machines' ARNs on the local stack. */
  public static final String LOCAL_STATE_MACHINES =
      "arn:aws:states:us-east-1:000000000000:stateMachine:";

  /**
   * The longest permitted stream, in seconds. It is limited because a function ends after 15
   * minutes.
   */
  private static final int MOST_STREAM_SECONDS = 840;

  /** The longest permitted lifetime of a result, which is that of an export's file. */
  private static final Duration LONGEST_RESULT = ExportJob.FILE_LIVES;

  /** The lifetime of a result that is kept only to be handed over. */
  private static final Duration HANDED_OVER = Duration.ofMinutes(2);

  /** The most slots that one read examines. */
  private static final int MOST_WAIT_SLOTS = 500;

  private static final int MOST_MODEL_CALLS = 1_000_000;

  private static final int MOST_WAITS_OF_FUNCTION = 1_000;

  /** The longest permitted session: 30 days. */
  private static final long MOST_SESSION_SECONDS = 2_592_000;

  private static final String WEBHOOK_RETRY = "0,30,120,600,3600,21600";

  /** The deployed function's name, as its route or trigger states it; empty if it has none. */
  public static String function(Map<String, String> environment) {
    return environment
        .getOrDefault("AWS_LAMBDA_FUNCTION_NAME", "")
        .replaceFirst("^" + prefix(environment) + "-", "");
  }

  /** Reads only the prefix, for functions that need no other setting. */
  public static String prefix(Map<String, String> environment) {
    return environment.getOrDefault("GOVERNANCE_PREFIX", "governance");
  }

  /** Reads only the names of the tables, for functions that need no other setting. */
  public static TableNames tables(Map<String, String> environment) {
    return TableNames.of(prefix(environment), environment.getOrDefault(TABLE_GENERATIONS, ""));
  }

  /** Reads only the base URL, for functions that need few settings. */
  public static URI baseUrl(Map<String, String> environment) {
    return URI.create(environment.getOrDefault("GOVERNANCE_BASE_URL", "http://localhost:8080"));
  }

  /** These settings, for a function that seals and opens only for these purposes. */
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

  /** The keys derived from master keys in the form of {@code GOVERNANCE_MASTER_KEY}. */
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

  /** Reads the time that must pass before something counts, by default one day. */
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

  /** Reads only the changes bucket, for relays that put unreadable changes into it. */
  public static String changesBucket(Map<String, String> environment) {
    return environment.getOrDefault(CHANGES_BUCKET, prefix(environment) + "-changes");
  }

  private static @Nullable URI devIssuer(Map<String, String> environment) {
    String text = environment.get(DEV_ISSUER);
    return text == null ? null : URI.create(text);
  }

  /** Reads only the OTLP endpoint, to decide whether spans are posted; null if none. */
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

  /** Reads only the lifetime of results, for the stack that creates their bucket. */
  public static Duration resultLife(Map<String, String> environment) {
    long seconds = Long.parseLong(environment.getOrDefault("GOVERNANCE_RESULT_SECONDS", "86400"));
    if (seconds < 0 || seconds > LONGEST_RESULT.toSeconds()) {
      throw new IllegalStateException(
          "GOVERNANCE_RESULT_SECONDS must be from 0 to " + LONGEST_RESULT.toSeconds() + ".");
    }
    return seconds == 0 ? HANDED_OVER : Duration.ofSeconds(seconds);
  }

  /** Reads only this setting, for functions that need few settings. */
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
