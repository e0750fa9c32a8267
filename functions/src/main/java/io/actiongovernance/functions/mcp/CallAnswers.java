package io.actiongovernance.functions.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Scope;
import io.actiongovernance.action.Action;
import io.actiongovernance.gateway.CallStanding;
import io.actiongovernance.gateway.CallStanding.Applied;
import io.actiongovernance.gateway.CallStanding.Deduplicated;
import io.actiongovernance.gateway.CallStanding.Expired;
import io.actiongovernance.gateway.CallStanding.Failed;
import io.actiongovernance.gateway.CallStanding.Held;
import io.actiongovernance.gateway.CallStanding.Refused;
import io.actiongovernance.gateway.CallStanding.Skipped;
import io.actiongovernance.gateway.CallStanding.Unknown;
import io.actiongovernance.gateway.CallStanding.Vetoed;
import io.actiongovernance.gateway.CallStanding.Waiting;
import io.actiongovernance.gateway.GovernedCall;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.plan.RetrieveResult;
import io.actiongovernance.policy.LimitUse;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.result.KeptResult;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Describes the outcome of a call as the table in the contract for agents, section 4, specifies.
 * Thread-safe.
 */
final class CallAnswers {
  private static final String REFUSED = "refused";
  private static final String NOT_AGAIN = "do not call again";
  private static final String ASK = "Ask " + ToolList.PLAN + " with this plan_id; " + NOT_AGAIN;

  private final RetrieveResult retrieveResult;
  private final CallContent content;
  private final InstantSource clock;

  CallAnswers(RetrieveResult retrieveResult, CallContent content, InstantSource clock) {
    this.retrieveResult = retrieveResult;
    this.content = content;
    this.clock = clock;
  }

  CallStanding standing(GovernedCall call) {
    return CallStanding.of(call.plan(), call.action(), clock.instant());
  }

  /** The call's result; empty if the caller may not read it or it is not kept. */
  Optional<KeptResult> kept(Caller caller, GovernedCall call) {
    if (withheld(caller, call).isPresent()) {
      return Optional.empty();
    }
    Outcome<KeptResult> found = retrieveResult.of(call.action());
    return found instanceof Done<KeptResult>(KeptResult result)
        ? Optional.of(result)
        : Optional.empty();
  }

  /**
   * The reason why the caller sees only the status and the receipt, and nothing that the source
   * system returned; empty if there is none. A retry under an {@code Idempotency-Key} may come from
   * a key other than the call's.
   */
  private static Optional<String> withheld(Caller caller, GovernedCall call) {
    if (!caller.scopes().contains(Scope.RESULTS_READ)) {
      return Optional.of("This key may not read its result.");
    }
    return call.isFor(caller)
        ? Optional.empty()
        : Optional.of("Another key made this call, so this key may not read its result.");
  }

  ObjectNode result(Caller caller, Era era, GovernedCall call) {
    return result(caller, era, call, kept(caller, call).orElse(null));
  }

  /**
   * The current result of the call, with the source system's answer if it is kept.
   *
   * @param kept the answer of the source system; null if it is not kept or must not be shown
   */
  ObjectNode result(Caller caller, Era era, GovernedCall call, @Nullable KeptResult kept) {
    ToolResult result = told(caller, era, call, kept);
    if (call.earlier()) {
      result.before(
          "This is the answer to an identical earlier call (plan "
              + call.plan().id()
              + "). Nothing was called again.");
      result.noting("earlier", Json.tree(true));
    }
    noted(result, call);
    return result.wire();
  }

  private ToolResult told(Caller caller, Era era, GovernedCall call, @Nullable KeptResult kept) {
    return switch (standing(call)) {
      case Applied _ -> applied(caller, era, call, kept);
      case Failed(String error) ->
          ended(
              call,
              "failed",
              withheld(caller, call).orElse(error),
              "The call did not take effect." + receipt(call));
      case Unknown(String error) ->
          ended(
              call,
              "unknown",
              "It may have happened: " + NOT_AGAIN + ". " + withheld(caller, call).orElse(error),
              "A person has to find out whether it did; plan "
                  + call.plan().id()
                  + "."
                  + receipt(call));
      case Deduplicated(var holder) ->
          over(
              ToolResult.text(
                  "Not called: the earlier action "
                      + (holder == null ? "" : holder + " ")
                      + "with the same idempotency key did the same."
                      + receipt(call)),
              call,
              "deduplicated",
              "Read the earlier action.");
      case Refused _ -> ended(call, REFUSED, refusal(call), needed(call) + receipt(call));
      case Vetoed(String by, String reason, boolean withdrawn) ->
          ended(
              call,
              "vetoed",
              (withdrawn ? "Withdrawn" : "Vetoed")
                  + (by == null ? "" : " by " + by)
                  + (reason == null ? "." : ": " + reason),
              "Nothing was called." + receipt(call));
      case Expired _ ->
          ended(
              call,
              "expired",
              "Nobody approved it in time.",
              "Nothing was called. Calling it again asks for approval again." + receipt(call));
      case Skipped _ ->
          ended(
              call,
              "skipped",
              "The approval left this call out.",
              "Nothing was called." + receipt(call));
      case Held _ -> open(call, "held", "A person has to approve this: " + summary(call));
      case Waiting(var on) ->
          open(
              call,
              "waiting",
              call.halted()
                  ? "A halt is in force. The call continues by itself when the halt is lifted."
                  : "The call has not ended. It waits for "
                      + on.wire()
                      + " and continues by itself.");
    };
  }

  private static String summary(GovernedCall call) {
    return call.action().terms().summary();
  }

  private ToolResult applied(Caller caller, Era era, GovernedCall call, @Nullable KeptResult kept) {
    if (kept != null) {
      return content.of(call, kept, era);
    }
    String why = withheld(caller, call).orElse("Its result is not kept.");
    return over(
        ToolResult.text("The call took effect. " + why + receipt(call)),
        call,
        "applied",
        "Nothing more: the call is done.");
  }

  private static ToolResult ended(GovernedCall call, String status, String what, String next) {
    return over(ToolResult.error(what + " " + next), call, status, next);
  }

  private static ToolResult over(ToolResult result, GovernedCall call, String status, String next) {
    ObjectNode structured =
        Json.object().put("status", status).put(ToolList.PLAN_ID, call.plan().id().value());
    lastReceipt(call.action()).ifPresent(id -> structured.put("receipt_id", id));
    String rule = call.action().verdict().rule();
    if (status.equals(REFUSED) && rule != null) {
      structured.put("rule", rule);
    }
    return result.structured(structured.put("next", next));
  }

  private static ToolResult open(GovernedCall call, String status, String what) {
    ObjectNode structured =
        Json.object().put("status", status).put(ToolList.PLAN_ID, call.plan().id().value());
    if (call.plan().waitingOn() != null) {
      structured.put("waiting_on", call.plan().waitingOn().wire());
    }
    if (call.halt() != null) {
      structured.put("halt_id", call.halt().value());
    }
    structured.put("next", ASK);
    return ToolResult.text(what + "\nPlan " + call.plan().id() + ". " + ASK + ".")
        .structured(structured);
  }

  private static String refusal(GovernedCall call) {
    Verdict verdict = call.action().verdict();
    Action.Disposal disposal = call.action().disposal();
    String error = disposal == null ? null : disposal.error();
    String rule =
        verdict.rule() == null
            ? "No guardrail permits it."
            : "Refused by the rule " + verdict.rule() + ".";
    LimitUse limit = verdict.limit();
    String reason =
        limit != null
            ? " Its limit: " + limit.sentence() + "."
            : verdict.reason() == null ? "" : " (" + verdict.reason() + ")";
    return rule + reason + (error == null ? "" : " " + error + ".");
  }

  private static String needed(GovernedCall call) {
    Verdict verdict = call.action().verdict();
    String needed =
        verdict.rule() == null
            ? "It needs a guardrail of the operator that permits it."
            : "The rule must change, or the call must be one that the rule permits.";
    return needed + " Calling again does not help.";
  }

  private static String receipt(GovernedCall call) {
    return lastReceipt(call.action()).map(id -> " Receipt " + id + ".").orElse("");
  }

  private static Optional<String> lastReceipt(Action action) {
    List<String> receipts = action.receipts().stream().map(id -> id.value()).toList();
    return receipts.isEmpty() ? Optional.empty() : Optional.of(receipts.getLast());
  }

  private static void noted(ToolResult result, GovernedCall call) {
    Action action = call.action();
    Verdict verdict = action.verdict();
    result.noting(ToolList.PLAN_ID, text(call.plan().id().value()));
    result.noting("action_id", text(action.id().value()));
    lastReceipt(action).ifPresent(id -> result.noting("receipt_id", text(id)));
    result.noting(
        "verdict",
        Json.object()
            .put("decision", verdict.decision().name())
            .put("tier", verdict.tier())
            .put("rule", verdict.rule()));
  }

  private static JsonNode text(String text) {
    return Json.object().textNode(text);
  }
}
