package io.actiongovernance.functions.contract;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The contract's error codes. Clients branch on these, never on messages (specification, Errors).
 * Each code explains its cause and remedy for {@code /docs/errors}, as plain text with names
 * between backticks.
 */
public enum ErrorCode {
  INVALID_JSON(
      400,
      Retry.NO,
      "The body is not JSON, or is JSON that cannot be read safely: a duplicate name, more than 100 levels, or broken Unicode.",
      "Correct the body; the message says where it breaks."),
  INVALID_REQUEST(
      400,
      Retry.NO,
      "The request as a whole cannot be read: it has the wrong `Content-Type`, or its body is not an object or is too large.",
      "Correct the request; the message says what is wrong with it."),
  MISSING_PARAMETER(
      400, Retry.NO, "A required field is missing.", "Send the field that `param` names."),
  INVALID_PARAMETER(
      400,
      Retry.NO,
      "A field, a parameter or a header breaks its rule, or is unknown.",
      "Correct what `param` names; the message says its rule."),
  INVALID_CURSOR(
      400,
      Retry.NO,
      "The cursor was not issued by this service, has expired, or belongs to another list, tenant or mode, or to other parameters.",
      "Start again from the first page, with the parameters that you want."),
  UNAUTHENTICATED(
      401,
      Retry.NO,
      "The request has no API key, or its session or ticket is no longer valid.",
      "Send the header `Authorization: Bearer <API key>`, or sign in again. For a session, `details.reason` says why it ended.",
      ErrorDetails.SessionEnded.class),
  KEY_INVALID(
      401,
      Retry.NO,
      "No key has this secret.",
      "Check for a typing error, or a key of another deployment. If the key is lost, create a new one."),
  KEY_REVOKED(
      401,
      Retry.NO,
      "The key was revoked.",
      "Use another key. If none of your people revoked it, find out who did."),
  KEY_EXPIRED(
      401, Retry.NO, "The key has expired.", "Use another key, or create one that expires later."),
  KEY_SUSPENDED(
      401,
      Retry.NO,
      "The person who owns the key is suspended.",
      "Ask an administrator to give the key another owner, or use another key."),
  INSUFFICIENT_SCOPE(
      403,
      Retry.NO,
      "The key may not do this, or may not do it to this object.",
      "Use a key with the scope that the message names."),
  TENANT_MISMATCH(
      403,
      Retry.NO,
      "The body names a tenant or reseller other than the key's.",
      "Leave `tenant_id` and `reseller_id` out, or use the key of that tenant."),
  CROSS_SITE_REQUEST(
      403,
      Retry.NO,
      "The request comes through a page of another site: its `Origin` or `Host` is not allowed. Or it uses a session, and neither `Sec-Fetch-Site` nor `Origin` says that the page is the service's own.",
      "Send the request from outside a page; with a session, send it only from the service's own pages. For the MCP gateway, have the page's origin added to `GOVERNANCE_MCP_ORIGINS`."),
  APPROVER_NOT_ELIGIBLE(
      403,
      Retry.NO,
      "You may not decide this; nobody approves what they proposed. `details.reason` says why.",
      "Ask another approver to decide.",
      ErrorDetails.NotEligible.class),
  SIGNATURE_REQUIRED(
      403,
      Retry.NO,
      "The person must sign this approval with a passkey, and did not.",
      "Fetch a challenge, sign it with the passkey, and send both."),
  NOT_FOUND(
      404,
      Retry.NO,
      "There is no such path, or no such object for this key. An object of another tenant gives the same answer.",
      "Check the identifier, the key's mode (test or live) and its workspace."),
  STATE_CONFLICT(
      409,
      Retry.AFTER_READING,
      "The object is in a state that does not allow this, or was changed meanwhile. If another action must be resolved first, `details` names it.",
      "Read the object again, and repeat the request only if it still makes sense.",
      ErrorDetails.Unresolved.class),
  APPROVAL_STALE(
      409,
      Retry.AFTER_READING,
      "The signed statement no longer describes the plan, or does not match the request.",
      "Read the plan again, fetch a new challenge, and sign it."),
  CHALLENGE_USED(
      409,
      Retry.NO,
      "The challenge was used, has expired, or is not yours.",
      "Fetch a new challenge, and sign it."),
  IDEMPOTENCY_CONFLICT(
      409,
      Retry.NO,
      "The `Idempotency-Key` was used with another body within the last 24 hours.",
      "Use a new key for a new request. To get the first answer, send the first body again."),
  IDEMPOTENCY_IN_PROGRESS(
      409,
      Retry.YES,
      "The same request, under the same `Idempotency-Key`, is still being processed.",
      "Wait as `Retry-After` says, then send the same request again: its answer gives the result of the first."),
  ENTITY_LOCKED(
      409,
      Retry.YES,
      "Another plan has the lock of the same entity; only one plan at a time has it. `details` names it.",
      "Wait as `Retry-After` says, then send the request again.",
      ErrorDetails.EntityLocked.class),
  CONNECTOR_IN_USE(
      409,
      Retry.NO,
      "An active operator depends on a capability that no other connector fulfils.",
      "First install another connector with this capability, or pause the operator.",
      ErrorDetails.Capability.class),
  ACTION_NOT_UNDOABLE(
      409,
      Retry.NO,
      "The action did not apply, is already undone, or has no inverse that would undo exactly what it did.",
      "Read the action. If necessary, undo its effect in the source system."),
  HALTED(
      409,
      Retry.NO,
      "A halt is in force: nothing in its scope may run. `details.halt_id` names it.",
      "Ask the author of the halt. Do not retry blindly: what waits continues by itself when the halt is lifted.",
      ErrorDetails.Halted.class),
  OUTSIDE_WINDOW(
      409,
      Retry.NO,
      "The trust policy permitted the action when it was proposed, but does not permit it at this time. Nothing was written; the plan stays open.",
      "Approve the plan within the window of the guardrail that `details.rule` names, or without the action that `details` names.",
      ErrorDetails.OutsideWindow.class),
  POLICY_BLOCKED(
      422,
      Retry.NO,
      "The trust policy refused every action. Nothing ran; each refusal has a receipt.",
      "Read `details.verdicts` for the guardrail that decided, and the receipt. Propose something else, or have the guardrails changed.",
      ErrorDetails.PolicyBlocked.class),
  SIGNATURE_INVALID(
      422,
      Retry.NO,
      "The passkey did not sign this: its key, challenge, origin or name is another, or the user was not verified.",
      "Fetch a new challenge, and sign it with the passkey."),
  CAPABILITY_UNBOUND(
      422,
      Retry.NO,
      "No connector that the operator may use fulfils a capability that it needs.",
      "Install a connector with this capability, or name one in the operator's connectors.",
      ErrorDetails.Capability.class),
  LISTING_EARLY_ACCESS(
      422,
      Retry.NO,
      "The listing cannot be installed yet.",
      "Choose another listing, or ask for access to it."),
  AUTH_FAILED(
      422,
      Retry.NO,
      "The source system or its authorisation server rejected the credentials.",
      "Send credentials that it accepts, or authorise the connector again."),
  RATE_LIMITED(
      429,
      Retry.YES,
      "There were more requests per minute than the key or the address may make.",
      "Wait as `Retry-After` says, and slow down while `X-RateLimit-Remaining` is low."),
  QUOTA_EXCEEDED(
      429,
      Retry.YES,
      "The maximum is reached: of the month's actions, or of keys, connectors, operators, webhook endpoints or channels.",
      "Make room, or have the allowance raised. What waits for the allowance continues by itself."),
  INTERNAL_ERROR(
      500,
      Retry.WITH_THE_SAME_KEY,
      "Something failed on our side.",
      "Send the same request again under the same `Idempotency-Key`. If it keeps failing, report the `request_id`."),
  CONNECTOR_UPSTREAM_ERROR(
      502,
      Retry.AFTER_READING,
      "The source system failed, or its answer reports a failure. The receipt says what is known.",
      "First read the action or its receipt: an action whose outcome is unknown may have happened. Then test the connector."),
  SERVICE_UNAVAILABLE(
      503,
      Retry.WITH_THE_SAME_KEY,
      "The service cannot answer at this moment, or the work takes longer than a request may and continues after it.",
      "Wait as `Retry-After` says, then send the same request again under the same `Idempotency-Key`: its answer gives the result of the first.");

  /** Tells clients whether the same request may be sent again. */
  public enum Retry {
    NO("No: the same request is refused again."),
    AFTER_READING("Not blindly: first read what happened."),
    WITH_THE_SAME_KEY("Yes, under the same `Idempotency-Key`: it takes effect once."),
    YES("Yes, after the number of seconds in `Retry-After`.");

    private final String sentence;

    Retry(String sentence) {
      this.sentence = sentence;
    }

    public String sentence() {
      return sentence;
    }
  }

  /** The groups of codes. A client that does not know a code uses its group. */
  public enum Type {
    INVALID_REQUEST_ERROR,
    AUTHENTICATION_ERROR,
    PERMISSION_ERROR,
    NOT_FOUND_ERROR,
    CONFLICT_ERROR,
    VALIDATION_ERROR,
    RATE_LIMIT_ERROR,
    API_ERROR;

    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final int status;
  private final Retry retry;
  private final String happened;
  private final String remedy;
  private final @Nullable Class<? extends ErrorDetails> details;

  ErrorCode(int status, Retry retry, String happened, String remedy) {
    this(status, retry, happened, remedy, null);
  }

  ErrorCode(
      int status,
      Retry retry,
      String happened,
      String remedy,
      @Nullable Class<? extends ErrorDetails> details) {
    this.status = status;
    this.retry = retry;
    this.happened = happened;
    this.remedy = remedy;
    this.details = details;
  }

  public int status() {
    return status;
  }

  public Retry retry() {
    return retry;
  }

  /** Returns whether the response with this code states in {@code Retry-After} when to retry. */
  public boolean tellsWhenToRetry() {
    return retry == Retry.YES || this == SERVICE_UNAVAILABLE;
  }

  /** The cause, as a sentence for people. */
  public String happened() {
    return happened;
  }

  /** The remedy, as a sentence for people. */
  public String remedy() {
    return remedy;
  }

  /**
   * The type of the error's {@code details}; null if it never has any. An error may omit its
   * details.
   */
  public @Nullable Class<? extends ErrorDetails> details() {
    return details;
  }

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The group of codes to which this one belongs, by its status. */
  public Type type() {
    return switch (status) {
      case 400 -> Type.INVALID_REQUEST_ERROR;
      case 401 -> Type.AUTHENTICATION_ERROR;
      case 403 -> Type.PERMISSION_ERROR;
      case 404 -> Type.NOT_FOUND_ERROR;
      case 409 -> Type.CONFLICT_ERROR;
      case 422 -> Type.VALIDATION_ERROR;
      case 429 -> Type.RATE_LIMIT_ERROR;
      default -> Type.API_ERROR;
    };
  }
}
