package io.actiongovernance.functions.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.approval.Ballots;
import io.actiongovernance.approval.PlanApprovals;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.passkey.PasskeyOptions;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/plans/{plan_id}/approval/challenges}. */
@Operation(
    summary = "Fetch a challenge to sign",
    description =
        "For a person who is signed in. Returns a statement of what they approve, made"
            + " from stored data, and what their passkey must sign. The challenge is"
            + " single-use, valid for five minutes, and for this person only.",
    tag = Tag.PLANS,
    status = 201,
    answer = CreateChallengeHandler.ChallengeView.class,
    errors = {ErrorCode.NOT_FOUND, ErrorCode.STATE_CONFLICT, ErrorCode.APPROVER_NOT_ELIGIBLE})
public final class CreateChallengeHandler implements RouteHandler<CreateChallengeHandler.Input> {
  private final PlanApprovals approvals;

  CreateChallengeHandler(PlanApprovals approvals) {
    this.approvals = approvals;
  }

  record Input(
      PlanId planId,
      @Field(
              doc = "Actions to run, as in the approve request; all actions if left out.",
              min = 1,
              max = 1_000)
          @Nullable List<ActionId> actionIds,
      @Field(doc = "Note that the approve request will have.", max = 2_000)
          @Nullable String note) {}

  /** A challenge that a person's passkey signs. */
  @Doc("A challenge for a person to sign.")
  record ChallengeView(
      @Field(
              doc = "Identifier by which the approve request names the challenge.",
              example = "01m80m2m0rvz8mtfbjg9wyx3ea")
          String challengeId,
      @Field(
              doc =
                  "Statement of what is approved. The passkey signs the SHA-256 of `approval.v1`,"
                      + " a line feed and the statement's canonical form (RFC 8785, numbers as"
                      + " exact decimals).",
              as = ObjectNode.class,
              example = "{\"v\":1,\"purpose\":\"plan.approve\"}")
          ObjectNode statement,
      @Field(
              doc =
                  "Options for the browser, as `PublicKeyCredential.parseRequestOptionsFromJSON`"
                      + " of WebAuthn takes them: `challenge`, `rpId`, `userVerification` and"
                      + " `allowCredentials`.",
              as = ObjectNode.class,
              example =
                  "{\"challenge\":\"AQIDBA\",\"rpId\":\"localhost\",\"userVerification\":\"required\",\"allowCredentials\":[]}")
          ObjectNode publicKey,
      @Field(
              doc = "Time at which the challenge expires: RFC 3339 in UTC, to the millisecond.",
              example = "2026-11-22T03:21:33.724Z")
          Instant expiresAt) {
    static ChallengeView of(Ballots.Issued issued) {
      return new ChallengeView(
          issued.id(),
          issued.statement().document(),
          PasskeyOptions.toSign(
              Base64.getUrlEncoder().withoutPadding().encodeToString(issued.bytes()),
              issued.relyingParty(),
              issued.credentials()),
          issued.expiresAt());
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    return switch (approvals.challenge(
        call.caller(), input.planId(), input.actionIds(), input.note())) {
      case Done(Ballots.Issued issued) -> Reply.created(ChallengeView.of(issued));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
