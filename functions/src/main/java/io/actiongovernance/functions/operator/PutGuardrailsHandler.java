package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.operator.GuardrailsVersion;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.proposer.Unbound;
import io.actiongovernance.proposer.UnboundFields;
import java.util.List;

/** {@code PUT /v1/operators/{operator_id}/guardrails}. */
public final class PutGuardrailsHandler implements FieldsHandler {
  private final Operators operators;
  private final UnboundFields unbound;
  private final OperatorReplies replies;

  public PutGuardrailsHandler(Operators operators, UnboundFields unbound, OperatorReplies replies) {
    this.operators = operators;
    this.unbound = unbound;
    this.replies = replies;
  }

  /** The guardrails as they now are, and what they go by that is not bound to arguments. */
  record View(@JsonUnwrapped GuardrailsView guardrailsView, List<Unbound> unbound) {}

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    Fields body = call.body();
    Guardrails guardrails = Guardrails.read(body, "guardrails");
    long expected = body.whole("expected_version", 1, Long.MAX_VALUE);
    String note = body.textOrNull("note", 0, GuardrailsVersion.LONGEST_NOTE);
    body.done();
    OperatorId id = call.id("operator_id", OperatorId::parse);
    return replies.of(
        operators.putGuardrails(call.caller(), id, guardrails, expected, note, call.mintedId()),
        operator -> Reply.ok(new View(GuardrailsView.of(operator), unbound.of(operator))));
  }
}
