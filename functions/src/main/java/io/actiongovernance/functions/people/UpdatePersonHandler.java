package io.actiongovernance.functions.people;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.contract.Whole;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.key.ApiKeys;
import io.actiongovernance.people.ChangePerson;
import io.actiongovernance.people.Person;
import io.actiongovernance.people.PersonChange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code PATCH /v1/people/{person_id}}. */
@Operation(
    summary = "Change or suspend a person",
    description =
        "From the next request on, a suspended person is signed out, and the keys that"
            + " they own are 401 `key_suspended`. The answer lists these keys, and the others"
            + " that the person made, directly or through other keys. The last administrator"
            + " can neither be suspended nor lose the role.",
    tag = Tag.PEOPLE,
    answer = PersonView.class,
    errors = ErrorCode.STATE_CONFLICT)
public final class UpdatePersonHandler implements RouteHandler<UpdatePersonHandler.Input> {
  static final int LONGEST_NAME = 200;
  static final int MOST_BINDINGS = 50;
  static final int MOST_GROUPS = 50;
  static final int LONGEST_GROUP = 200;

  private final ChangePerson changePerson;
  private final ApiKeys keys;

  UpdatePersonHandler(ChangePerson changePerson, ApiKeys keys) {
    this.changePerson = changePerson;
    this.keys = keys;
  }

  @Whole(doc = "Fields that are left out stay as they are.")
  record Input(
      PersonId personId,
      @Field(
              doc = PersonView.NAME,
              text = Field.Text.LINE,
              min = 1,
              max = LONGEST_NAME,
              nullable = false,
              example = "Dana Reyes")
          @Nullable String name,
      @Field(
              doc =
                  "All roles of the person; replaces the present ones. 409 for a person who signs"
                      + " in at an identity provider, whose claims determine them.",
              max = MOST_BINDINGS)
          @Nullable List<RoleBindingForm> bindings,
      @Field(
              doc =
                  "All groups of the person; replaces the present ones. 409 for a person who"
                      + " signs in at an identity provider, whose claims determine them.",
              max = MOST_GROUPS,
              eachMax = LONGEST_GROUP)
          @Nullable List<String> groups,
      @Field(
              doc = "`suspended` suspends the person; `active` ends the suspension.",
              nullable = false,
              example = "suspended")
          Person.@Nullable Status status) {
    PersonChange change() {
      return new PersonChange(
          name,
          bindings == null ? null : bindings.stream().map(RoleBindingForm::binding).toList(),
          groups,
          status);
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        changePerson.change(call.caller(), input.personId(), input.change(), call.mintedId()),
        person -> input.status() == Person.Status.SUSPENDED ? suspended(person) : told(person));
  }

  private static PersonView told(Person person) {
    return PersonView.of(person);
  }

  private PersonView suspended(Person person) {
    return PersonView.suspended(person, keys.hand(person.partition().tenant(), person.id()));
  }
}
