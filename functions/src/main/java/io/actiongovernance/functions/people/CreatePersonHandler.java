package io.actiongovernance.functions.people;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.settings.BaseUrl;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.people.NewPerson;
import io.actiongovernance.people.Person;
import io.actiongovernance.session.MakePerson;
import io.actiongovernance.session.Tickets;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/people}. */
@Operation(
    summary = "Create a person",
    description =
        "A person without an identity provider gets an address at which they enrol"
            + " their first passkey. Only this answer contains it.",
    tag = Tag.PEOPLE,
    status = 201,
    answer = PersonView.class,
    errors = ErrorCode.STATE_CONFLICT)
public final class CreatePersonHandler implements RouteHandler<CreatePersonHandler.Input> {
  private final MakePerson makePerson;
  private final URI baseUrl;

  CreatePersonHandler(MakePerson makePerson, URI baseUrl) {
    this.makePerson = makePerson;
    this.baseUrl = baseUrl;
  }

  record Input(
      @Field(
              doc = PersonView.NAME,
              text = Field.Text.LINE,
              min = 1,
              max = UpdatePersonHandler.LONGEST_NAME,
              example = "Dana Reyes")
          String name,
      @Field(
              doc = PersonView.BINDINGS,
              max = UpdatePersonHandler.MOST_BINDINGS,
              otherwise = "[]",
              example = "[{\"role\":\"operate\",\"workspace_id\":null}]")
          List<RoleBindingForm> bindings,
      @Field(
              doc = PersonView.GROUPS,
              max = UpdatePersonHandler.MOST_GROUPS,
              eachMax = UpdatePersonHandler.LONGEST_GROUP,
              otherwise = "[]",
              example = "[\"support-leads\"]")
          List<String> groups,
      @Field(
              doc =
                  "The person's `sub` at the identity provider: required if there is one, and"
                      + " refused if there is none.",
              text = Field.Text.LINE,
              min = 1,
              max = 255)
          @Nullable String subject) {
    NewPerson wanted() {
      return new NewPerson(
          name, bindings.stream().map(RoleBindingForm::binding).toList(), groups, subject);
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    return switch (makePerson.make(call.caller(), input.wanted(), call.mintedId())) {
      case Done(MakePerson.Made(Person person, Tickets.Issued ticket)) ->
          Reply.created(
              PersonView.made(
                  person, ticket == null ? null : BaseUrl.at(baseUrl, Tickets.path(ticket))));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
