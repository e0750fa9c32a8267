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

/** What is said of a new key, whether it is of a role or of scopes. */
record KeyTerms(
    @Field(
            doc = "A label, unique among the tenant's active keys: 3 to 60 characters.",
            text = Field.Text.LINE,
            min = 3,
            max = 60,
            example = "ci-ingest")
        String name,
    @Field(
            doc =
                "`live` or `test`: fixes the secret's prefix (`sk_live_`, `sk_test_`) and the"
                    + " partition of data it reaches. A key of mode test makes test keys only.",
            otherwise = "\"live\"")
        Mode mode,
    @Field(
            doc =
                "Pins it to a workspace: whatever belongs to another, or to the tenant as a whole,"
                    + " reads as 404.",
            text = Field.Text.LINE,
            min = 1,
            max = 100)
        @Nullable String workspaceId,
    @Field(
            doc =
                "Binds it to these operators: it proposes for, reads and approves what is of them"
                    + " alone, and the rest reads as 404. Events, exports, webhooks, the allowance,"
                    + " keys and every write of configuration are 403. Not for the role admin.",
            published = "^op_[0-9a-hjkmnp-tv-z]{26}$",
            min = 1,
            max = NewKey.MOST_OPERATORS)
        @Nullable List<OperatorId> operatorIds,
    @Field(
            doc =
                "When it is to end by itself, RFC 3339; it must lie ahead. Not for the role admin.")
        @Nullable Instant expiresAt,
    @Field(
            doc = "The person behind it.",
            text = Field.Text.LINE,
            min = 1,
            max = NewKey.LONGEST_OWNER)
        @Nullable String owner) {
  /**
   * The key on these terms.
   *
   * @param role null where the scopes were listed
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
