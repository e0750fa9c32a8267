package io.actiongovernance.functions.people;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Mode;
import io.actiongovernance.functions.access.ApiKeyView;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.json.Json;
import io.actiongovernance.key.ApiKeys;
import io.actiongovernance.people.Person;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A person as the API answers them. */
@Doc("A person of the tenant.")
public record PersonView(
    @Field(doc = "Identifier of the person.") PersonId id,
    @Field(doc = "Always `person`.", constant = "person") String object,
    @Field(doc = NAME, example = "Dana Reyes") String name,
    @Field(doc = "Their address, as their issuer says it; null where nobody does.")
        @Nullable String email,
    @Field(doc = "`suspended`: whoever is that may do nothing, nor may the keys that they own.")
        Person.Status status,
    @Field(doc = "`live` or `test`: the partition of data that they reach.") Mode mode,
    @Field(doc = BINDINGS, example = "[{\"role\":\"operate\",\"workspace_id\":null}]")
        List<RoleBindingForm> bindings,
    @Field(doc = GROUPS, example = "[\"support-leads\"]") List<String> groups,
    @Field(doc = "The identity provider that they sign in at; null if there is none.")
        @Nullable IdentityProviderId identityProviderId,
    @Field(doc = "Who they are to it; null if there is none.") @Nullable String subject,
    @Field(doc = "Their passkeys, oldest first.", example = "[]") List<PasskeyView> passkeys,
    @Field(doc = "When they were made or first seen: RFC 3339 in UTC, to the millisecond.")
        Instant createdAt,
    @Field(doc = "When they last signed in; null if they never did.") @Nullable Instant lastSeenAt,
    @Field(
            doc =
                "Where they enrol their first passkey, once and within 24 hours: only in the answer"
                    + " that makes somebody who has no identity provider.",
            example = "https://api.example/console#ticket=shownOnceAndNeverAgain")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable URI enrolmentUrl,
    @Field(
            doc =
                "Only in the answer that suspends somebody: the active keys that they own, which"
                    + " are 401 `key_suspended` until they are active again, or others own them.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable List<ApiKeyView.Item> keys,
    @Field(
            doc =
                "Only in the answer that suspends somebody: the other keys that they or keys of"
                    + " theirs have made, and so on, which work as before.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable List<ApiKeyView.Item> madeKeys) {
  static final String NAME = "What people call them.";
  static final String BINDINGS =
      "The roles that they have: what they may do is all that these grant together.";
  static final String GROUPS = "The groups that they are in, as approvals ask for them.";

  static PersonView of(Person person) {
    return of(person, null, null);
  }

  /** A person as they are retrieved. */
  public static ObjectNode form(Person person) {
    return (ObjectNode) Json.tree(of(person));
  }

  /** Of somebody who was just made. */
  static PersonView made(Person person, @Nullable URI enrolment) {
    return of(person, enrolment, null);
  }

  /** Of somebody who is suspended. */
  static PersonView suspended(Person person, ApiKeys.Hand hand) {
    return of(person, null, hand);
  }

  private static PersonView of(
      Person person, @Nullable URI enrolment, ApiKeys.@Nullable Hand hand) {
    Person.Identity identity = person.identity();
    return new PersonView(
        person.id(),
        "person",
        person.name(),
        person.email(),
        person.status(),
        person.partition().mode(),
        person.standingBindings().stream().map(RoleBindingForm::of).toList(),
        person.standingGroups(),
        identity == null ? null : identity.provider(),
        identity == null ? null : identity.subject(),
        person.passkeys().stream().map(PasskeyView::of).toList(),
        person.createdAt(),
        person.lastSeenAt(),
        enrolment,
        hand == null ? null : hand.owned().stream().map(ApiKeyView.Item::of).toList(),
        hand == null ? null : hand.made().stream().map(ApiKeyView.Item::of).toList());
  }
}
