package io.actiongovernance.functions.access;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.actiongovernance.access.Role;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.contract.Whole;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.key.ApiKey;
import io.actiongovernance.key.ApiKeys;
import io.actiongovernance.key.NewKey;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/keys}. */
@Operation(
    summary = "Create a key",
    description = "Only the answer to this request contains the secret.",
    tag = Tag.API_KEYS,
    status = 201,
    answer = ApiKeyView.class,
    errors = {ErrorCode.STATE_CONFLICT, ErrorCode.QUOTA_EXCEEDED})
public final class CreateKeyHandler implements RouteHandler<CreateKeyHandler.Input> {
  static final String ROLE =
      "A preset that is expanded to scopes now; a later change of the preset never"
          + " alters the key. `read_only` reads. `ingest` only ingests events. `operate`"
          + " reads, ingests, approves, vetoes, undoes and halts. `agent` proposes, and"
          + " reads what became of its proposals. `admin` may do everything.";
  static final String SCOPES =
      "Scopes of the key. `plans:propose` cannot be combined with `plans:approve`,"
          + " `actions:write`, `operators:write`, `connectors:write` or `halts:write`."
          + " `plans:approve` cannot be combined with `operators:write` or"
          + " `connectors:write`.";

  /** The most scopes in a list. It exceeds the number of scopes, so that a list may repeat some. */
  static final int MOST_SCOPES = 100;

  private final ApiKeys keys;

  public CreateKeyHandler(ApiKeys keys) {
    this.keys = keys;
  }

  @Doc("A new key with the scopes of a role.")
  record CreateKeyOfRole(
      @JsonUnwrapped KeyTerms terms, @Field(doc = ROLE, example = "ingest") Role role) {}

  @Doc("A new key with exactly these scopes.")
  record CreateKeyOfScopes(
      @JsonUnwrapped KeyTerms terms, @Field(doc = SCOPES, min = 1) List<ListableScope> scopes) {}

  @Whole(
      doc = "A new key, created either from a role or from a list of scopes, not from both.",
      oneOf = {CreateKeyOfRole.class, CreateKeyOfScopes.class})
  record Input(
      @JsonUnwrapped KeyTerms terms,
      @Field(doc = ROLE) @Nullable Role role,
      @Field(
              doc = SCOPES,
              min = 1,
              max = MOST_SCOPES,
              rule =
                  "a scope; only the role admin grants people:read, people:write, keys:read, keys:write and billing:write")
          @Nullable List<ListableScope> scopes) {
    Input {
      // Called for its checks: it refuses combinations that no key may have.
      wanted(terms, role, scopes);
    }

    NewKey wanted() {
      return wanted(terms, role, scopes);
    }

    private static NewKey wanted(
        KeyTerms terms, @Nullable Role role, @Nullable List<ListableScope> scopes) {
      if (role != null && scopes != null) {
        throw Problem.invalid("scopes", "Send role or scopes, not both.");
      }
      if (scopes != null) {
        return terms.key(
            null, scopes.stream().map(ListableScope::scope).collect(Collectors.toSet()));
      }
      if (role == null) {
        throw Problem.missing("role");
      }
      return terms.key(role, role.scopes());
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    KeyId id = new KeyId(KeyId.PREFIX + call.mintedId());
    return switch (keys.create(call.caller(), id, input.wanted())) {
      case Done(ApiKeys.Issued(ApiKey key, String secret)) ->
          Reply.created(ApiKeyView.created(key, secret));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
