package io.actiongovernance.functions.contract;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The contract's error codes: clients branch on these, never on messages (specification, Errors).
 * Each explains its cause and remedy for {@code /docs/errors}, as plain text with names between
 * backticks.
 */
public enum ErrorCode {
  INVALID_JSON(
      400,
      Retry.NO,
      "The body is no JSON, or is JSON that cannot be read safely: a name twice, or a number beyond what can be kept.",
      "Mend the body; the message says where it breaks."),
  INVALID_REQUEST(
      400,
      Retry.NO,
      "The request as a whole cannot be read: the wrong `Content-Type`, a body that is no object, or one that is too large.",
      "Mend the request; the message says what is wrong with it."),
  MISSING_PARAMETER(
      400, Retry.NO, "A field that must be there is not.", "Send the field that `param` names."),
  INVALID_PARAMETER(
      400,
      Retry.NO,
      "A field, a parameter or a header breaks its rule, or is not known.",
      "Mend what `param` names; the message says its rule."),
  INVALID_CURSOR(
      400,
      Retry.NO,
      "The cursor was not made here, has expired, or belongs to another list, tenant, mode or to other parameters.",
      "Begin again from the first page, with the parameters that you want."),
  UNAUTHENTICATED(
      401,
      Retry.NO,
      "The request has no API key; or the session that a browser shows, or a ticket, is good no longer.",
      "Send the header `Authorization: Bearer <API key>`, or sign in anew: of a session, `details.reason` says why it has ended.",
      ErrorDetails.SessionEnded.class),
  KEY_INVALID(
      401,
      Retry.NO,
      "No key has this secret.",
      "Look for a typing error, or for the key of another deployment; make a key if it is lost."),
  KEY_REVOKED(
      401,
      Retry.NO,
      "The key was revoked.",
      "Use another key. If nobody of yours revoked it, find out who did."),
  KEY_EXPIRED(
      401,
      Retry.NO,
      "The key has come to its end.",
      "Use another key, or make one that ends later."),
  KEY_SUSPENDED(
      401,
      Retry.NO,
      "The person who owns the key is suspended.",
      "Ask an administrator to give the key another owner, or use another key."),
  INSUFFICIENT_SCOPE(
      403,
      Retry.NO,
      "The key may not do this, or not to this.",
      "Use a key with the scope that the message names."),
  TENANT_MISMATCH(
      403,
      Retry.NO,
      "The body names another tenant or reseller than the key's.",
      "Leave `tenant_id` and `reseller_id` out, or use the key of that tenant."),
  CROSS_SITE_REQUEST(
      403,
      Retry.NO,
      "The request comes by way of a page of another site: its `Origin` or `Host` is none that may, or, of one that is made with a session, neither `Sec-Fetch-Site` nor `Origin` says that it is the service's own.",
      "Ask from no page, or with a session from the service's own alone; for the MCP gateway, have the page's origin named in `GOVERNANCE_MCP_ORIGINS`."),
  APPROVER_NOT_ELIGIBLE(
      403,
      Retry.NO,
      "Whoever asks may not decide this; nobody approves what they proposed. `details.reason` says why.",
      "Have somebody else decide.",
      ErrorDetails.NotEligible.class),
  SIGNATURE_REQUIRED(
      403,
      Retry.NO,
      "A person is to sign what they approve with a passkey, and did not.",
      "Fetch a challenge, have the passkey sign it, and send both."),
  NOT_FOUND(
      404,
      Retry.NO,
      "There is no such path, or no such thing for this key. What belongs to another tenant reads the same.",
      "Look at the identifier, at the key's mode (test or live) and at its workspace."),
  STATE_CONFLICT(
      409,
      Retry.AFTER_READING,
      "What it is about is in a state that does not allow it, or was changed meanwhile. Where another action has to be resolved first, `details` names it.",
      "Read it again, and ask again only if it still makes sense.",
      ErrorDetails.Unresolved.class),
  APPROVAL_STALE(
      409,
      Retry.AFTER_READING,
      "The statement that was signed no longer describes the plan, or is not of what the request says.",
      "Read the plan again, fetch another challenge, and sign that."),
  CHALLENGE_USED(
      409,
      Retry.NO,
      "The challenge was used, has expired, or is not this person's.",
      "Fetch another challenge, and sign that."),
  IDEMPOTENCY_CONFLICT(
      409,
      Retry.NO,
      "The `Idempotency-Key` was used for another body within 24 hours.",
      "Use a new key for a new request; send the first body again to hear the first answer."),
  IDEMPOTENCY_IN_PROGRESS(
      409,
      Retry.YES,
      "The same request, under the same `Idempotency-Key`, is being answered at this moment.",
      "Wait as `Retry-After` says, and send the same request again: it tells what came of the first."),
  ENTITY_LOCKED(
      409,
      Retry.YES,
      "Another plan executes on the same entity; one at a time does. `details` says which.",
      "Wait as `Retry-After` says, then ask again.",
      ErrorDetails.EntityLocked.class),
  CONNECTOR_IN_USE(
      409,
      Retry.NO,
      "An active operator depends on a capability that no other connector fulfils.",
      "Install another connector with it, or pause the operator first.",
      ErrorDetails.Capability.class),
  ACTION_NOT_UNDOABLE(
      409,
      Retry.NO,
      "The action did not apply, is undone already, or has no inverse that would take back just what it did.",
      "Read the action; take its effect back in the source system if need be."),
  HALTED(
      409,
      Retry.NO,
      "A halt is in force: nothing in its scope may run. `details.halt_id` names it.",
      "Ask whoever halted it. Do not retry blindly; what waits goes on by itself when the halt is lifted.",
      ErrorDetails.Halted.class),
  POLICY_BLOCKED(
      422,
      Retry.NO,
      "The trust policy refused every action. Nothing ran; there is a receipt of each refusal.",
      "Read `details.verdicts`: the guardrail that decided, and the receipt. Propose something else, or have the guardrails changed.",
      ErrorDetails.PolicyBlocked.class),
  SIGNATURE_INVALID(
      422,
      Retry.NO,
      "The passkey did not sign this: another key, challenge, origin or name, or nobody was verified.",
      "Ask for a new challenge, and have the passkey sign that."),
  CAPABILITY_UNBOUND(
      422,
      Retry.NO,
      "No connector that the operator may use fulfils a capability that it needs.",
      "Install a connector with it, or name one in the operator's connectors.",
      ErrorDetails.Capability.class),
  LISTING_EARLY_ACCESS(
      422,
      Retry.NO,
      "The listing cannot be installed yet.",
      "Choose another listing, or ask for access to it."),
  AUTH_FAILED(
      422,
      Retry.NO,
      "The source system or its authorisation server refuses the credentials.",
      "Send credentials that it takes, or authorise the connector anew."),
  RATE_LIMITED(
      429,
      Retry.YES,
      "More requests a minute than the key, or the address, may make.",
      "Wait as `Retry-After` says; slow down for as long as `X-RateLimit-Remaining` is low."),
  QUOTA_EXCEEDED(
      429,
      Retry.YES,
      "There are as many as there may be: actions of the month, keys, connectors, operators, webhook endpoints, channels.",
      "Make room, or have the allowance raised; what waits for the allowance goes on by itself."),
  INTERNAL_ERROR(
      500,
      Retry.WITH_THE_SAME_KEY,
      "Something failed on our side.",
      "Send the same request again under the same `Idempotency-Key`. If it stays, report the `request_id`."),
  CONNECTOR_UPSTREAM_ERROR(
      502,
      Retry.AFTER_READING,
      "The source system failed, or its answer says so. The receipt says what is known.",
      "Read the action or its receipt before anything else: what is unknown may have happened. Test the connector."),
  SERVICE_UNAVAILABLE(
      503,
      Retry.WITH_THE_SAME_KEY,
      "The service cannot answer at this moment, or its work takes longer than a request may: then it goes on.",
      "Wait as `Retry-After` says, and send the same request again under the same `Idempotency-Key`: it tells what came of the first.");

  /** States whether the same request may be sent again. */
  public enum Retry {
    NO("No: the same request is refused again."),
    AFTER_READING("Not blindly: read first what became of it."),
    WITH_THE_SAME_KEY("Yes, under the same `Idempotency-Key`: it takes effect once."),
    YES("Yes, after the seconds of `Retry-After`.");

    private final String sentence;

    Retry(String sentence) {
      this.sentence = sentence;
    }

    public String sentence() {
      return sentence;
    }
  }

  /** The groups of codes, to which a client falls back for an unknown code. */
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

  /** Returns whether its response states in {@code Retry-After} when to retry. */
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

  /** The type of its {@code details}, which an error may omit; null if it never has any. */
  public @Nullable Class<? extends ErrorDetails> details() {
    return details;
  }

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The group of codes with its status. */
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
