package io.actiongovernance.functions.people;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.people.People;

/** {@code GET /v1/people/{person_id}}. */
@Operation(summary = "Retrieve a person", tag = Tag.PEOPLE, answer = PersonView.class)
public final class RetrievePersonHandler implements RouteHandler<RetrievePersonHandler.Input> {
  private final People people;

  public RetrievePersonHandler(People people) {
    this.people = people;
  }

  record Input(PersonId personId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return people
        .find(call.caller(), input.personId())
        .map(person -> Reply.ok(PersonView.of(person)))
        .orElseGet(() -> Reply.refused(new Refusal.NotFound("person")));
  }
}
