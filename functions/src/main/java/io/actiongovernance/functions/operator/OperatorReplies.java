package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.api.ApiError;
import io.actiongovernance.functions.api.ErrorCode;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.json.Json;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/** Answers with operators, and with what kept one from being made or changed. Thread-safe. */
public final class OperatorReplies {
  private static final Duration QUOTA_RETRY = Duration.ofSeconds(60);

  private final Function<Operator, Optional<Instant>> lastPlanAt;

  /**
   * @param lastPlanAt when an operator's newest plan was proposed
   */
  public OperatorReplies(Function<Operator, Optional<Instant>> lastPlanAt) {
    this.lastPlanAt = lastPlanAt;
  }

  OperatorView view(Operator operator) {
    return OperatorView.of(operator, lastPlanAt.apply(operator).orElse(null));
  }

  /** An operator as it is retrieved. */
  public ObjectNode form(Operator operator) {
    return (ObjectNode) Json.tree(view(operator));
  }

  /** Its guardrails as they are retrieved. */
  public static ObjectNode guardrailsForm(Operator operator) {
    return (ObjectNode) Json.tree(GuardrailsView.of(operator));
  }

  /** 200 with the operator, or why not. */
  Reply changed(OperatorOutcome outcome) {
    return of(outcome, operator -> Reply.ok(view(operator)));
  }

  /** 201 with the operator, or why not. */
  Reply created(OperatorOutcome outcome) {
    return of(outcome, operator -> Reply.created(view(operator)));
  }

  /** What the function makes of the operator, or why there is none. */
  Reply of(OperatorOutcome outcome, Function<Operator, Reply> done) {
    return switch (outcome) {
      case OperatorOutcome.Done(Operator operator) -> done.apply(operator);
      case OperatorOutcome.NotFound _ -> notFound();
      case OperatorOutcome.WrongState(var status) ->
          Reply.error(ErrorCode.STATE_CONFLICT, "The operator is " + status.wire() + ".");
      case OperatorOutcome.NameTaken(String name) ->
          Reply.error(ErrorCode.STATE_CONFLICT, "An operator named " + name + " exists.");
      case OperatorOutcome.StaleGuardrails(long version) ->
          Reply.error(ErrorCode.STATE_CONFLICT, "The guardrails are at version " + version + ".");
      case OperatorOutcome.CapabilityUnbound(String capability) -> unbound(capability);
      case OperatorOutcome.QuotaExceeded(int quota) ->
          Reply.error(
              new ApiError(
                  ErrorCode.QUOTA_EXCEEDED,
                  "The tenant has " + quota + " active operators, as many as it may.",
                  null,
                  null,
                  QUOTA_RETRY));
    };
  }

  static Reply notFound() {
    return Reply.notFound("operator");
  }

  static Reply noSuchVersion() {
    return Reply.notFound("version of the guardrails");
  }

  /** The number of a version: from 1, without leading zeros or signs. */
  static Optional<Long> version(String text) {
    return text.matches("[1-9][0-9]{0,17}") ? Optional.of(Long.valueOf(text)) : Optional.empty();
  }

  private static Reply unbound(String capability) {
    ObjectNode details = Json.object().put("capability", capability);
    return Reply.error(
        new ApiError(
            ErrorCode.CAPABILITY_UNBOUND,
            "No connector the operator may use fulfils the capability " + capability + ".",
            null,
            details,
            null));
  }
}
