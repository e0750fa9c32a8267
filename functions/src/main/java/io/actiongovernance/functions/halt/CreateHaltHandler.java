package io.actiongovernance.functions.halt;

import io.actiongovernance.api.ApiException;
import io.actiongovernance.api.Fields;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.halt.Halt;
import io.actiongovernance.halt.HaltScope;
import io.actiongovernance.halt.Halts;
import io.actiongovernance.halt.Target;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.HaltId;
import io.actiongovernance.id.OperatorId;

/** {@code POST /v1/halts}. */
public final class CreateHaltHandler implements RouteHandler {
  private final Halts halts;

  public CreateHaltHandler(Wiring wiring) {
    this.halts = wiring.loop().halts();
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    Fields body = call.body();
    Target target = target(body);
    String reason = body.text("reason", 1, 2_000);
    body.done();
    HaltId id = new HaltId(HaltId.PREFIX + call.mintedId());
    Halts.Result result = halts.halt(call.caller(), id, target, reason);
    return switch (result) {
      case Halts.Result.Done(Halt halt) -> Reply.created(HaltView.of(halt));
      case Halts.Result.HaltedBefore(Halt halt) -> Reply.ok(HaltView.of(halt));
      default -> HaltReplies.refusal(result);
    };
  }

  private static Target target(Fields body) {
    HaltScope scope = body.choice("scope", HaltScope::parse, "tenant, operator or connector");
    return switch (scope) {
      case TENANT -> {
        if (body.has("id")) {
          throw ApiException.invalid("id", "A halt of the tenant takes no id.");
        }
        yield new Target(scope, null);
      }
      case OPERATOR ->
          new Target(scope, body.choice("id", OperatorId::parse, "the id of an operator").value());
      case CONNECTOR ->
          new Target(scope, body.choice("id", ConnectorId::parse, "the id of a connector").value());
    };
  }
}
