package io.actiongovernance.functions.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.Role;
import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.Json;
import io.actiongovernance.key.ApiKey;
import io.actiongovernance.key.NewKey;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An API key as responses show it. */
@Doc("An API key.")
public record ApiKeyView(
    @Field(doc = ID) KeyId id,
    @Field(doc = OBJECT, constant = "api_key") String object,
    @Field(doc = NAME, example = "ci-ingest") String name,
    @Field(doc = MODE) Mode mode,
    @Field(doc = ROLE, example = "ingest") @Nullable Role role,
    @Field(
            doc =
                "Scopes of the key, fixed at creation: a later change of the role never alters"
                    + " them.",
            example = "[\"events:write\"]")
        List<Scope> scopes,
    @Field(doc = "The workspace it is pinned to; null for the whole tenant.")
        @Nullable String workspaceId,
    @Field(
            doc =
                "The operators that the key is bound to: it proposes for, reads and approves"
                    + " only what is theirs. Null if it is bound to none.",
            min = 1,
            max = NewKey.MOST_OPERATORS)
        @Nullable List<OperatorId> operatorIds,
    @Field(
            doc =
                "Time at which the key expires, RFC 3339; null if never. From then on the"
                    + " secret answers 401 `key_expired` and the key reads as `revoked`. Its name and"
                    + " its place in the quota are then free.")
        @Nullable Instant expiresAt,
    @Field(
            doc = "The principal that created the key; null for the first keys of a tenant.",
            as = PrincipalView.class,
            example =
                "{\"type\":\"key\",\"id\":\"key_01m80m2kz0f1q3v5x7y9a2c4e6\",\"name\":\"console\"}")
        @Nullable ObjectNode createdBy,
    @Field(
            doc =
                "The person behind the key, as stated in a request; never filled in from"
                    + " `created_by`. Keys with the same owner count as one caller for the rule that"
                    + " nobody approves their own proposal.")
        @Nullable String owner,
    @Field(doc = HINT, example = "sk_live_F1Ph") String hint,
    @Field(
            doc =
                "The full secret. Only the answer that creates the key has it; later answers"
                    + " show only `hint`.",
            example = "sk_live_shownOnceAndNeverAgain")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable String secret,
    @Field(doc = STATUS) ApiKey.Status status,
    @Field(doc = LAST_USED_AT) @Nullable Instant lastUsedAt,
    @Field(doc = CREATED_AT, example = "2026-11-20T21:44:07.412Z") Instant createdAt,
    @Field(doc = "Time at which the key was revoked or expired, RFC 3339; null while active.")
        @Nullable Instant revokedAt) {
  // Descriptions shared by several records. Error Prone reports private ones as unused.
  static final String ID = "Identifier of the key; it is not the secret.";

  static final String OBJECT = "Always `api_key`.";
  static final String NAME = "Its label, unique among the tenant's active keys.";
  static final String MODE =
      "`live` or `test`: determines the secret's prefix and the data partition that"
          + " the key reaches.";
  static final String ROLE =
      "The preset that the key was created from; null if it was created from an"
          + " explicit list of scopes.";
  static final String HINT = "The secret's prefix and last four characters.";
  static final String STATUS =
      "`active`, or `revoked` for good. An expired key reads as `revoked` too.";
  static final String LAST_USED_AT =
      "Time of the latest authenticated request, to within a few minutes; null before"
          + " the first.";
  static final String CREATED_AT = "Time of creation: RFC 3339 in UTC, to the millisecond.";

  static ApiKeyView of(ApiKey key) {
    return created(key, null);
  }

  /** The JSON of a key that is retrieved. */
  public static ObjectNode form(ApiKey key) {
    return (ObjectNode) Json.tree(of(key));
  }

  /** The response to a key's creation, the only one that contains the secret. */
  static ApiKeyView created(ApiKey key, @Nullable String secret) {
    Principal maker = key.createdBy();
    return new ApiKeyView(
        key.id(),
        "api_key",
        key.name(),
        key.partition().mode(),
        key.role(),
        key.scopes(),
        key.workspaceId(),
        key.operatorIds().isEmpty() ? null : key.operatorIds(),
        key.expiresAt(),
        maker == null ? null : maker.wire(),
        key.owner(),
        key.hint(),
        secret,
        key.status(),
        key.lastUsedAt(),
        key.createdAt(),
        key.revokedAt());
  }

  /** A key in a list. */
  @Doc("An API key in a list.")
  public record Item(
      @Field(doc = ID) KeyId id,
      @Field(doc = OBJECT, constant = "api_key") String object,
      @Field(doc = NAME, example = "ci-ingest") String name,
      @Field(doc = MODE) Mode mode,
      @Field(doc = ROLE, example = "ingest") @Nullable Role role,
      @Field(doc = HINT, example = "sk_live_F1Ph") String hint,
      @Field(doc = STATUS) ApiKey.Status status,
      @Field(doc = LAST_USED_AT) @Nullable Instant lastUsedAt,
      @Field(doc = CREATED_AT, example = "2026-11-20T21:44:07.412Z") Instant createdAt) {
    public static Item of(ApiKey key) {
      return new Item(
          key.id(),
          "api_key",
          key.name(),
          key.partition().mode(),
          key.role(),
          key.hint(),
          key.status(),
          key.lastUsedAt(),
          key.createdAt());
    }
  }

  /** The response to a revocation. */
  @Doc("A revoked key.")
  record RevokedKey(
      KeyId id,
      @Field(doc = OBJECT, constant = "api_key") String object,
      @Field(doc = "Label of the key; another key may now have it.", example = "ci-ingest")
          String name,
      @Field(
              doc =
                  "Always `revoked`. From now on the secret answers 401 `key_revoked`, or"
                      + " `key_expired` if the key had already expired.",
              constant = "revoked")
          String status,
      @Field(
              doc =
                  "Time at which the key was revoked or expired: RFC 3339 in UTC, to the"
                      + " millisecond.",
              example = "2026-11-20T21:44:07.412Z")
          Instant revokedAt) {
    static RevokedKey of(ApiKey key) {
      return new RevokedKey(
          key.id(),
          "api_key",
          key.name(),
          key.status().wire(),
          Objects.requireNonNull(key.revokedAt()));
    }
  }
}
