package io.actiongovernance.functions.halt;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
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
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/halts}. */
@Operation(
    summary = "Halt the tenant, an operator or a connector",
    description =
        "No call in scope starts once this has answered. If the target is already"
            + " halted, the answer is 200 with the halt in force, once it is in force. A key"
            + " pinned to a workspace or bound to operators cannot halt the tenant.",
    tag = Tag.HALTS,
    status = 201,
    answer = HaltView.class,
    errors = {ErrorCode.NOT_FOUND, ErrorCode.QUOTA_EXCEEDED})
public final class CreateHaltHandler implements RouteHandler<CreateHaltHandler.Input> {
  private final Halts halts;

  CreateHaltHandler(Halts halts) {
    this.halts = halts;
  }

  record Input(
      @Field(
              doc =
                  "Scope of the halt: all calls of the `tenant`, those of an `operator`, or those"
                      + " to a `connector`.")
          HaltScope scope,
      @Field(doc = "Identifier of the operator or connector; null or left out for the tenant.")
          @Nullable String id,
      @Field(
              doc = "Reason for the halt, kept on the receipt: 1 to 2,000 characters.",
              min = 1,
              max = 2_000,
              example = "Something is wrong.")
          String reason) {
    Input {
      // Called for its check: it refuses an input that names no target.
      target(scope, id);
    }

    Target target() {
      return target(scope, id);
    }

    private static Target target(HaltScope scope, @Nullable String id) {
      return switch (scope) {
        case TENANT -> {
          if (id != null) {
            throw Problem.invalid("id", "A halt of the tenant takes no id.");
          }
          yield new Target(scope, null);
        }
        case OPERATOR -> new Target(scope, required(id, OperatorId::parse, "an operator").value());
        case CONNECTOR ->
            new Target(scope, required(id, ConnectorId::parse, "a connector").value());
      };
    }

    private static <T> T required(
        @Nullable String id, Function<String, Optional<T>> parse, String what) {
      if (id == null) {
        throw Problem.missing("id");
      }
      return parse
          .apply(id)
          .orElseThrow(() -> Problem.invalid("id", "id must be the id of " + what + "."));
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    HaltId id = new HaltId(HaltId.PREFIX + call.mintedId());
    return switch (halts.halt(call.caller(), id, input.target(), input.reason())) {
      case Done(Halt halt) when halt.id().equals(id) -> Reply.created(HaltView.of(halt));
      // Another request had already halted the target.
      case Done(Halt halt) -> Reply.ok(HaltView.of(halt));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
