package io.actiongovernance.functions.receipt;

import static io.actiongovernance.functions.rights.Right.READ_EXPORTS;
import static io.actiongovernance.functions.rights.Rights.on;
import static io.actiongovernance.functions.rights.Rights.reading;
import static io.actiongovernance.functions.rights.Rights.to;
import static io.actiongovernance.functions.rights.TableAccess.PUT;
import static io.actiongovernance.functions.rights.TableAccess.READ;
import static io.actiongovernance.functions.rights.TableAccess.UPDATE;
import static io.actiongovernance.store.Table.EVENTS;
import static io.actiongovernance.store.Table.LIMITS;
import static io.actiongovernance.store.Table.RECEIPTS;
import static io.actiongovernance.store.Table.STATE;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.route.Route;
import java.util.List;

/** The routes of receipts and of their exports. */
public final class ReceiptRoutes {
  public static final Route LIST_RECEIPTS =
      Route.get("list-receipts", "/v1/receipts")
          .key(Scope.RECEIPTS_READ, RateClass.RECEIPTS)
          .needs(reading(RECEIPTS, STATE, EVENTS, LIMITS))
          .handledBy(
              () -> ListReceiptsHandler.class,
              wiring -> new ListReceiptsHandler(wiring.loop().reading().listReceipts()));

  public static final Route RETRIEVE_RECEIPT =
      Route.get("retrieve-receipt", "/v1/receipts/{receipt_id}")
          .key(Scope.RECEIPTS_READ, RateClass.RECEIPTS)
          .needs(reading(RECEIPTS))
          .handledBy(
              () -> RetrieveReceiptHandler.class,
              wiring -> new RetrieveReceiptHandler(wiring.loop().reading().ledger()));

  // A repeated create request may find its job complete, and then links to the file. To sign the
  // link, the function must be permitted to read the file.
  public static final Route CREATE_EXPORT =
      Route.post("create-export", "/v1/receipts/exports")
          .key(Scope.RECEIPTS_READ, RateClass.RECEIPTS)
          .notForBoundKeys()
          .needs(on(STATE, READ, PUT, UPDATE).and(to(READ_EXPORTS)))
          .handledBy(
              () -> CreateExportHandler.class,
              wiring ->
                  new CreateExportHandler(
                      new ExportWiring(wiring).exports(), new ExportJobViews(wiring)));

  public static final Route LIST_EXPORTS =
      Route.get("list-exports", "/v1/receipts/exports")
          .key(Scope.RECEIPTS_READ, RateClass.RECEIPTS)
          .notForBoundKeys()
          .needs(reading(STATE).and(to(READ_EXPORTS)))
          .handledBy(
              () -> ListExportsHandler.class,
              wiring ->
                  new ListExportsHandler(
                      new ExportWiring(wiring).exports(), new ExportJobViews(wiring)));

  public static final Route RETRIEVE_EXPORT =
      Route.get("retrieve-export", "/v1/receipts/exports/{export_id}")
          .key(Scope.RECEIPTS_READ, RateClass.RECEIPTS)
          .notForBoundKeys()
          .needs(reading(STATE).and(to(READ_EXPORTS)))
          .handledBy(
              () -> RetrieveExportHandler.class,
              wiring ->
                  new RetrieveExportHandler(
                      new ExportWiring(wiring).exports(), new ExportJobViews(wiring)));

  private ReceiptRoutes() {}

  public static List<Route> all() {
    return List.of(LIST_RECEIPTS, RETRIEVE_RECEIPT, CREATE_EXPORT, LIST_EXPORTS, RETRIEVE_EXPORT);
  }
}
