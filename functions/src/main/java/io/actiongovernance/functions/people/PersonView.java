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

/** A person as responses show them. */
@Doc("A person of the tenant.")
public record PersonView(
    @Field(doc = "Identifier of the person.") PersonId id,
    @Field(doc = "Always `person`.", constant = "person") String object,
    @Field(doc = NAME, example = "Dana Reyes") String name,
    @Field(doc = "E-mail address, as the issuer states it; null if none is stated.")
        @Nullable String email,
    @Field(
            doc =
                "`active` or `suspended`. Suspended people can do nothing, and neither can the"
                    + " keys that they own.")
        Person.Status status,
    @Field(doc = "`live` or `test`: the data partition that the person reaches.") Mode mode,
    @Field(doc = BINDINGS, example = "[{\"role\":\"operate\",\"workspace_id\":null}]")
        List<RoleBindingForm> bindings,
    @Field(doc = GROUPS, example = "[\"support-leads\"]") List<String> groups,
    @Field(doc = "The identity provider at which the person signs in; null if there is none.")
        @Nullable IdentityProviderId identityProviderId,
    @Field(doc = "The person's `sub` at the identity provider; null if there is none.")
        @Nullable String subject,
    @Field(doc = "Passkeys of the person, oldest first.", example = "[]")
        List<PasskeyView> passkeys,
    @Field(
            doc =
                "Time at which the person was created or first seen: RFC 3339 in UTC, to the"
                    + " millisecond.")
        Instant createdAt,
    @Field(doc = "Time of the last sign-in; null if there was none.") @Nullable Instant lastSeenAt,
    @Field(
            doc =
                "Address at which the person enrols their first passkey: single-use, and valid"
                    + " for 24 hours. Only in the answer that creates a person without an identity"
                    + " provider.",
            example = "https://api.example/console#ticket=shownOnceAndNeverAgain")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable URI enrolmentUrl,
    @Field(
            doc =
                "Active keys that the person owns; only in the answer that suspends them. These"
                    + " keys are 401 `key_suspended` until the person is active again, or they have"
                    + " another owner.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable List<ApiKeyView.Item> keys,
    @Field(
            doc =
                "Other keys that the person or the person's keys have made, and so on; only in"
                    + " the answer that suspends the person. These keys work as before.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable List<ApiKeyView.Item> madeKeys) {
  static final String NAME = "Name of the person.";
  static final String BINDINGS =
      "Roles of the person, who may do everything that these grant together.";
  static final String GROUPS = "Groups of the person, to which approval policies refer.";

  static PersonView of(Person person) {
    return of(person, null, null);
  }

  public static ObjectNode form(Person person) {
    return (ObjectNode) Json.tree(of(person));
  }

  /** A person who was just created. */
  static PersonView made(Person person, @Nullable URI enrolment) {
    return of(person, enrolment, null);
  }

  /** A person who was just suspended. */
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
