package io.actiongovernance.functions.route;

import io.actiongovernance.functions.api.Revision;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import java.util.Arrays;
import java.util.List;

/** {@code GET /v1/revisions}: the published revisions, newest first. */
public final class ListRevisionsHandler implements FieldsHandler {
  record View(String object, String date, boolean latest) {}

  @Override
  public Reply handle(Call call) {
    PageRequest page = call.pageRequest();
    call.noOtherQuery();
    List<Revision> left =
        Arrays.stream(Revision.values())
            .filter(each -> page.after() == null || each.date().compareTo(page.after()) < 0)
            .toList();
    List<Revision> shown = left.stream().limit(page.limit()).toList();
    boolean more = left.size() > shown.size();
    return call.list(
        new Page<>(shown, more ? shown.getLast().date() : null),
        each -> new View("revision", each.date(), each == Revision.LATEST));
  }
}
