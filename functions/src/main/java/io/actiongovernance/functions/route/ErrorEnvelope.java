package io.actiongovernance.functions.route;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.ErrorDetails;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.RequestId;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** The body of every error response (contract, section 1). */
@Doc("Every error, 429 and 5xx included. Branch on `code`, never on `message`.")
public record ErrorEnvelope(@Field(doc = "The error.") ErrorObject error) {
  /** The error itself. */
  public record ErrorObject(
      @Field(doc = "Group of the status. Clients fall back to it for a code that they do not know.")
          ErrorCode.Type type,
      @Field(doc = "Code of the error. New codes may be added: a client falls back to `type`.")
          ErrorCode code,
      @Field(
              doc = "Explanation for people. Its wording may change at any time.",
              example = "For people: what was wrong with this request.")
          String message,
      @Field(
              doc = "The page that explains the code.",
              example = "https://governance.example/docs/errors#not_found")
          URI docUrl,
      @Field(
              doc =
                  "The request's `X-Request-Id`, which its receipts have too. An answer that API"
                      + " Gateway makes by itself has a longer id of its own.",
              published = "^req_[0-9a-z-]{26,36}$",
              example = "req_01m7yt2z78d1b3k25vq4kv9jme")
          RequestId requestId,
      @Field(doc = "Path of the field that is wrong, such as `actions[0].tool`.")
          @Nullable String param,
      @Field(
              doc =
                  "Further information, by code: the verdicts of `policy_blocked`, the lock of"
                      + " `entity_locked`, the halt of `halted`, the `reason` of"
                      + " `approver_not_eligible`.",
              as = ObjectNode.class)
          @Nullable ErrorDetails details) {}
}
