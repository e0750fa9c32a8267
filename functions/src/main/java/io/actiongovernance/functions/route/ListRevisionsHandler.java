package io.actiongovernance.functions.route;

import io.actiongovernance.api.Revision;
import java.util.Arrays;
import java.util.List;

/** {@code GET /v1/revisions}: the published revisions, newest first. */
public final class ListRevisionsHandler implements RouteHandler {
  record View(String object, String date, boolean latest) {}

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    List<View> all =
        Arrays.stream(Revision.values())
            .map(each -> new View("revision", each.date(), each == Revision.LATEST))
            .toList();
    return Reply.list(all, false, null);
  }
}
