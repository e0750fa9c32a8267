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

/** A key as the API answers it. */
@Doc("An API key.")
public record ApiKeyView(
    @Field(doc = ID) KeyId id,
    @Field(doc = OBJECT, constant = "api_key") String object,
    @Field(doc = NAME, example = "ci-ingest") String name,
    @Field(doc = MODE) Mode mode,
    @Field(doc = ROLE, example = "ingest") @Nullable Role role,
    @Field(
            doc =
                "What it may do, as expanded at creation; a later change of a role never alters it.",
            example = "[\"events:write\"]")
        List<Scope> scopes,
    @Field(doc = "The workspace it is pinned to; null for the whole tenant.")
        @Nullable String workspaceId,
    @Field(
            doc =
                "The operators it is bound to: it proposes for, reads and approves what is of these"
                    + " alone; null if it is bound to none.",
            min = 1,
            max = NewKey.MOST_OPERATORS)
        @Nullable List<OperatorId> operatorIds,
    @Field(
            doc =
                "When it ends by itself, RFC 3339: from then on its secret answers 401"
                    + " `key_expired`, it reads as `revoked`, and its name and its place in the"
                    + " quota are free. Null if it does not end.")
        @Nullable Instant expiresAt,
    @Field(
            doc = "Who made it; null for the first keys of a tenant.",
            as = PrincipalView.class,
            example =
                "{\"type\":\"key\",\"id\":\"key_01m80m2kz0f1q3v5x7y9a2c4e6\",\"name\":\"console\"}")
        @Nullable ObjectNode createdBy,
    @Field(
            doc =
                "The person behind it, as it was said; never filled in from `created_by`. Two keys"
                    + " of one owner are one caller where nobody may approve what they proposed.")
        @Nullable String owner,
    @Field(doc = HINT, example = "sk_live_F1Ph") String hint,
    @Field(
            doc =
                "The full secret, only in the answer that creates the key; `hint` is all that is"
                    + " shown later.",
            example = "sk_live_shownOnceAndNeverAgain")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable String secret,
    @Field(doc = STATUS) ApiKey.Status status,
    @Field(doc = LAST_USED_AT) @Nullable Instant lastUsedAt,
    @Field(doc = CREATED_AT, example = "2026-11-20T21:44:07.412Z") Instant createdAt,
    @Field(doc = "When it was revoked or came to its end, RFC 3339; null while active.")
        @Nullable Instant revokedAt) {
  // What is said of a field wherever it is: Error Prone takes private ones for unread.
  static final String ID = "Identifier of the key; it is not the secret.";

  static final String OBJECT = "Always `api_key`.";
  static final String NAME = "Its label, unique among the tenant's active keys.";
  static final String MODE =
      "`live` or `test`: fixes the secret's prefix and the partition of data it reaches.";
  static final String ROLE =
      "The preset it was created from; null when from an explicit list of scopes.";
  static final String HINT = "The secret's prefix and last four characters.";
  static final String STATUS =
      "`active`, or `revoked` for good; one that has come to its end reads as `revoked` too.";
  static final String LAST_USED_AT = "The latest authenticated request, to within a few minutes.";
  static final String CREATED_AT = "When it was made: RFC 3339 in UTC, to the millisecond.";

  static ApiKeyView of(ApiKey key) {
    return created(key, null);
  }

  /** A key as it is retrieved. */
  public static ObjectNode form(ApiKey key) {
    return (ObjectNode) Json.tree(of(key));
  }

  /** The one answer with the secret. */
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

  /** A key as an element of the list. */
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

  /** What a revocation answers. */
  @Doc("A key that is revoked.")
  record RevokedKey(
      KeyId id,
      @Field(doc = OBJECT, constant = "api_key") String object,
      @Field(doc = "Its label, which another key may have now.", example = "ci-ingest") String name,
      @Field(
              doc =
                  "Always `revoked`: the secret answers 401 `key_revoked` from now on, or"
                      + " `key_expired` if the key had come to its end before.",
              constant = "revoked")
          String status,
      @Field(
              doc = "When it was revoked or came to its end: RFC 3339 in UTC, to the millisecond.",
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
