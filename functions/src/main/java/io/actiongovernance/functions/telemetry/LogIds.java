package io.actiongovernance.functions.telemetry;

import com.amazonaws.services.lambda.runtime.Context;
import io.actiongovernance.access.Caller;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The identifiers that every log line contains while something is handled: those of the request or
 * message, of the objects that it names, and of Lambda's invocation. Closing removes them, and
 * those that the domain has added. An instance belongs to the thread that opened it.
 */
public final class LogIds implements AutoCloseable {
  /** Lambda's own identifier of an invocation, which the gateway's access log repeats. */
  static final String INVOCATION = "invocation_id";

  /** The message fields that are identifiers. */
  private static final Set<String> NAMED =
      Set.of(
          "partition",
          "fact_id",
          "event_id",
          "operator_id",
          "connector_id",
          "plan_id",
          "action_id",
          "receipt_id",
          "export_id",
          "halt_id",
          "endpoint_id",
          "delivery_id",
          "id",
          "type");

  /** The log field for the caller's key. */
  private static final String KEY = "key_id";

  /** The log field for the key in the request's path. */
  private static final String TARGET_KEY = "target_key_id";

  /**
   * The form of the contract's identifiers. A path may contain anything in place of one, even a
   * secret.
   */
  private static final Pattern FORM = Pattern.compile("[a-z]{1,5}_[0-9a-hjkmnp-tv-z]{26}");

  private LogIds() {}

  /**
   * Opens the identifiers of a Lambda invocation.
   *
   * @param invocation null if a handler is called directly
   */
  public static LogIds of(@Nullable Context invocation) {
    LogIds ids = new LogIds();
    if (invocation != null && invocation.getAwsRequestId() != null) {
      MDC.put(INVOCATION, invocation.getAwsRequestId());
    }
    return ids;
  }

  public LogIds with(String name, String id) {
    MDC.put(name, id);
    return this;
  }

  /** Adds the caller's identifiers. */
  public LogIds by(Caller caller) {
    caller.key().ifPresent(key -> with(KEY, key.value()));
    caller.person().ifPresent(person -> with("person_id", person.value()));
    caller.agent().ifPresent(agent -> with("agent_id", agent.id()));
    caller.session().ifPresent(session -> with("session_id", session.value()));
    return with("tenant_id", caller.partition().tenant().value());
  }

  /** Adds those path parameters that are identifiers. */
  public LogIds withPath(Map<String, String> parameters) {
    parameters.forEach(
        (name, value) -> {
          if (FORM.matcher(value).matches()) {
            MDC.put(name.equals(KEY) ? TARGET_KEY : name, value);
          }
        });
    return this;
  }

  /** Adds those message fields that are identifiers. */
  public LogIds with(Map<?, ?> fields) {
    fields.forEach(
        (name, value) -> {
          if (name instanceof String text && NAMED.contains(text) && value instanceof String id) {
            MDC.put(text, id);
          }
        });
    return this;
  }

  @Override
  public void close() {
    MDC.clear();
  }
}
