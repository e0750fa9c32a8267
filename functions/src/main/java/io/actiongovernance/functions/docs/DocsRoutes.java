package io.actiongovernance.functions.docs;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.functions.route.Route;
import java.util.List;

/** The routes that publish the contract, for machines and for people. */
public final class DocsRoutes {
  public static final Route LIST_REVISIONS =
      Route.get("list-revisions", "/v1/revisions")
          .anyKey(RateClass.MANAGEMENT)
          .needs(Rights.NONE)
          .handledBy(() -> ListRevisionsHandler.class, _ -> new ListRevisionsHandler());

  public static final Route OPENAPI =
      Route.get("openapi", "/v1/openapi.json")
          .needs(Rights.NONE)
          .handledBy(
              () -> OpenApiHandler.class,
              wiring -> new OpenApiHandler(wiring.settings().baseUrl()));

  public static final Route DOCS =
      Route.get("docs", "/docs")
          .needs(Rights.NONE)
          .handledBy(
              () -> DocsPageHandler.class,
              wiring -> new DocsPageHandler(wiring.settings().baseUrl()));

  public static final Route DOCS_VIEWER =
      Route.get("docs-viewer", "/docs/redoc.standalone.js")
          .needs(Rights.NONE)
          .handledBy(() -> ViewerHandler.class, _ -> new ViewerHandler());

  public static final Route DOCS_ERRORS =
      Route.get("docs-errors", "/docs/errors")
          .needs(Rights.NONE)
          .handledBy(
              () -> ErrorsPageHandler.class,
              wiring -> new ErrorsPageHandler(wiring.settings().baseUrl()));

  public static final Route DOCS_CHANGELOG =
      Route.get("docs-changelog", "/docs/changelog")
          .needs(Rights.NONE)
          .handledBy(() -> ChangelogPageHandler.class, _ -> new ChangelogPageHandler());

  private DocsRoutes() {}

  public static List<Route> all() {
    return List.of(LIST_REVISIONS, OPENAPI, DOCS, DOCS_VIEWER, DOCS_ERRORS, DOCS_CHANGELOG);
  }
}
