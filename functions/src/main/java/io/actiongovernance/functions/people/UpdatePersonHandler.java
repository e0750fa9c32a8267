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
        "Whoever is suspended is signed in no longer, and the keys that they own are 401 `key_suspended`, from the next request on; the answer lists those, and the others that go back to them. The last administrator can neither be suspended nor lose the role.",
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

  /** What is left out stays. */
  @Whole(doc = "What is left out stays.")
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
                  "In the place of all roles that they have; 409 for who signs in at an identity"
                      + " provider, whose claims say it.",
              max = MOST_BINDINGS)
          @Nullable List<RoleBindingForm> bindings,
      @Field(
              doc =
                  "In the place of all groups that they are in; 409 for who signs in at an identity"
                      + " provider, whose claims say it.",
              max = MOST_GROUPS,
              eachMax = LONGEST_GROUP)
          @Nullable List<String> groups,
      @Field(
              doc = "`suspended`, or `active`: the end of that.",
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
