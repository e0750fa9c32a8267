package io.actiongovernance.functions.docs;

import io.actiongovernance.functions.api.Revision;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.PageParameters;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import java.util.Arrays;
import java.util.List;

/** {@code GET /v1/revisions}: the published revisions, newest first. */
@Operation(
    summary = "List revisions",
    tag = Tag.REVISIONS,
    answer = ListRevisionsHandler.RevisionView.class,
    list = true)
public final class ListRevisionsHandler implements RouteHandler<ListRevisionsHandler.Input> {
  @Doc("A published revision.")
  record RevisionView(
      @Field(doc = "Always `revision`.", constant = "revision") String object,
      @Field(
              doc = "Date of the revision, YYYY-MM-DD, as in `Service-Version`.",
              format = "date",
              example = "2026-09-01")
          String date,
      @Field(doc = "True if it serves requests that name no revision.", example = "true")
          boolean latest) {}

  record Input(PageParameters page) {}

  @Override
  public Reply handle(Call call, Input input) {
    PageRequest page = call.page(input.page());
    List<Revision> left =
        Arrays.stream(Revision.values())
            .filter(each -> page.after() == null || each.date().compareTo(page.after()) < 0)
            .toList();
    List<Revision> shown = left.stream().limit(page.limit()).toList();
    boolean more = left.size() > shown.size();
    return call.list(
        new Page<>(shown, more ? shown.getLast().date() : null),
        each -> new RevisionView("revision", each.date(), each == Revision.LATEST));
  }
}
