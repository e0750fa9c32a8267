package io.actiongovernance.functions.session;

import static java.util.Comparator.comparing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.access.PrincipalView;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.people.PasskeyView;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.NoInput;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.key.Tenants;
import io.actiongovernance.people.People;
import io.actiongovernance.people.Person;
import io.actiongovernance.session.Session;
import io.actiongovernance.session.Sessions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/me}. */
@Operation(
    summary = "Retrieve the caller",
    description =
        "Returns what the service knows of the caller, key or person, and what the"
            + " caller may do.",
    tag = Tag.SIGN_IN,
    answer = RetrieveMeHandler.Me.class)
public final class RetrieveMeHandler implements RouteHandler<NoInput> {
  private final Sessions sessions;
  private final People people;
  private final Tenants tenants;
  private final Duration issuerLife;
  private final InstantSource clock;

  RetrieveMeHandler(
      Sessions sessions, People people, Tenants tenants, Duration issuerLife, InstantSource clock) {
    this.sessions = sessions;
    this.people = people;
    this.tenants = tenants;
    this.issuerLife = issuerLife;
    this.clock = clock;
  }

  @Doc("The caller, and what it may do.")
  record Me(
      @Field(doc = "Always `me`.", constant = "me") String object,
      @Field(doc = "The key or the person.", as = PrincipalView.class) ObjectNode principal,
      @Field(doc = "The tenant.") TenantId tenantId,
      @Field(doc = "The name of the tenant.", example = "Acme") String tenantName,
      @Field(doc = "`live` or `test`: the data partition that the caller reaches.") Mode mode,
      @Field(doc = "The only workspace that the caller reaches; null for the whole tenant.")
          @Nullable String workspaceId,
      @Field(doc = "The operators that the caller is bound to; empty if it is bound to none.")
          List<OperatorId> operatorIds,
      @Field(doc = "Scopes of the caller.", example = "[\"plans:read\",\"plans:approve\"]")
          List<Scope> scopes,
      @Field(
              doc = "The groups that the person is in; empty for a key.",
              example = "[\"support-leads\"]")
          List<String> groups,
      @Field(doc = "The passkeys of the person; empty for a key.", example = "[]")
          List<PasskeyView> passkeys,
      @Field(doc = "The session of this request; null for a key.") @Nullable SessionView session) {}

  @Override
  public Reply handle(Call call, NoInput input) {
    Caller caller = call.caller();
    Optional<Person> person = caller.person().flatMap(id -> people.find(caller.partition(), id));
    Optional<Session> session =
        caller.session().flatMap(id -> sessions.find(caller.partition(), id));
    return Reply.ok(
        new Me(
            "me",
            caller.principal().wire(),
            caller.partition().tenant(),
            tenants.find(caller.partition().tenant()).orElseThrow().name(),
            caller.partition().mode(),
            caller.workspaceId(),
            caller.operatorIds().stream().sorted(comparing(OperatorId::value)).toList(),
            caller.scopes().stream().sorted().toList(),
            person.map(one -> one.groupsAt(clock.instant(), issuerLife)).orElse(List.of()),
            person.map(Person::passkeys).orElse(List.of()).stream().map(PasskeyView::of).toList(),
            session.map(one -> SessionView.of(one, one.id())).orElse(null)));
  }
}
