package io.actiongovernance.functions.access;

import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Role;
import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.key.NewKey;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The terms that a new key has whether it is created from a role or from scopes. */
record KeyTerms(
    @Field(
            doc = "Label of the key, unique among the tenant's active keys: 3 to 60 characters.",
            text = Field.Text.LINE,
            min = 3,
            max = 60,
            example = "ci-ingest")
        String name,
    @Field(
            doc =
                "`live` or `test`: determines the secret's prefix (`sk_live_`, `sk_test_`) and"
                    + " the data partition that the key reaches. A test key creates only test keys.",
            otherwise = "\"live\"")
        Mode mode,
    @Field(
            doc =
                "The workspace to pin the key to. Anything that belongs to another workspace,"
                    + " or to the tenant as a whole, reads as 404.",
            text = Field.Text.LINE,
            min = 1,
            max = 100)
        @Nullable String workspaceId,
    @Field(
            doc =
                "The operators to bind the key to. It proposes for, reads and approves only"
                    + " what is theirs; everything else reads as 404. Events, exports, webhooks, the"
                    + " allowance, keys and every configuration write are 403. Not allowed for the"
                    + " role `admin`.",
            published = "^op_[0-9a-hjkmnp-tv-z]{26}$",
            min = 1,
            max = NewKey.MOST_OPERATORS)
        @Nullable List<OperatorId> operatorIds,
    @Field(
            doc =
                "Time at which the key expires, RFC 3339; it must be in the future. Not allowed"
                    + " for the role `admin`.")
        @Nullable Instant expiresAt,
    @Field(
            doc = "The person behind the key.",
            text = Field.Text.LINE,
            min = 1,
            max = NewKey.LONGEST_OWNER)
        @Nullable String owner) {
  /**
   * Returns the key with these terms.
   *
   * @param role null if the scopes were listed
   */
  NewKey key(@Nullable Role role, Set<Scope> scopes) {
    return new NewKey(
        name,
        role,
        scopes,
        mode,
        workspaceId,
        operatorIds == null ? Set.of() : Set.copyOf(operatorIds),
        expiresAt,
        owner);
  }
}
