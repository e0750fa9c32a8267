package io.actiongovernance.functions.people;

import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.PageParameters;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.people.People;
import io.actiongovernance.people.Person;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/people}. */
@Operation(
    summary = "List people",
    description = "Returns the people of the caller's mode, newest first.",
    tag = Tag.PEOPLE,
    answer = PersonView.class,
    list = true)
public final class ListPeopleHandler implements RouteHandler<ListPeopleHandler.Input> {
  private final People people;

  public ListPeopleHandler(People people) {
    this.people = people;
  }

  record Input(
      @Field(doc = "Only people with this status: `active` or `suspended`.")
          Person.@Nullable Status status,
      PageParameters page) {}

  @Override
  public Reply handle(Call call, Input input) {
    return call.list(
        people.list(call.caller(), input.status(), call.page(input.page())), PersonView::of);
  }
}
