package io.actiongovernance.functions.docs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.api.Revision;
import io.actiongovernance.json.Json;
import java.util.List;

/**
 * The published document's request headers that many operations share, including those of
 * deliveries to receivers. Stateless.
 */
final class Parameters {
  static final String IDEMPOTENCY_KEY = "Idempotency-Key";
  static final String SERVICE_VERSION = "Service-Version";

  /** The headers that sign a delivery. */
  static final List<String> OF_DELIVERIES =
      List.of("Service-Signature", "webhook-id", "webhook-timestamp", "webhook-signature");

  /** The quotation marks are in brackets because Specmatic misinterprets them otherwise. */
  private static final String IDEMPOTENCY_KEYS =
      "^([!#-~]([ -~]{0,253}[!-~])?|[\"]([ -~]{0,253}[!#-~])?|[\"][ -~]{1,255}[\"])$";

  private Parameters() {}

  static void reference(ArrayNode parameters, String name) {
    parameters.addObject().put("$ref", "#/components/parameters/" + name);
  }

  /** The targets of the references. */
  static ObjectNode components() {
    ObjectNode all = Json.object();
    text(
            all,
            IDEMPOTENCY_KEY,
            false,
            "1 to 255 printable ASCII characters; surrounding double quotes are not part of the key."
                + " The same request under the same key takes effect once within 24 hours; later"
                + " requests get its answer again. With another body, the answer is 409"
                + " `idempotency_conflict`.",
            "refund-1042-approved")
        .put("minLength", 1)
        .put("maxLength", 257)
        .put("pattern", IDEMPOTENCY_KEYS);
    ArrayNode revisions =
        text(all, SERVICE_VERSION, false, serviceVersion(), Revision.LATEST.date())
            .put("format", "date")
            .putArray("enum");
    for (Revision revision : Revision.values()) {
      revisions.add(revision.date());
    }
    text(
            all,
            "Service-Signature",
            true,
            "`t=<Unix second>,v1=<HMAC-SHA256 in hex>` of `<t>.<raw body>`, keyed with the"
                + " endpoint's whole `whsec_…` secret. During a rotation a second `v1` is keyed"
                + " with the previous secret. Compare each `v1` in constant time, over the raw"
                + " bytes. Refuse a time that is off by more than about five minutes.",
            "t=1795383847,v1=8a972ca8d5ef2d2eea4f85e582662d772de72a72dfdc632796c9a9c3e0a95769")
        .put("pattern", "^t=[0-9]+(,v1=[0-9a-f]{64}){1,2}$");
    text(
            all,
            "webhook-id",
            true,
            "Standard Webhooks: the delivery's id, the same for all attempts.",
            "dlv_01m80m2mcfgw0k4rfej8b30ew0")
        .put("pattern", "^dlv_[0-9a-hjkmnp-tv-z]{26}$");
    text(
            all,
            "webhook-timestamp",
            true,
            "Standard Webhooks: the Unix second of this attempt.",
            "1795383847")
        .put("pattern", "^[0-9]+$");
    text(
            all,
            "webhook-signature",
            true,
            "Standard Webhooks: `v1,` and the base64 of the HMAC-SHA256 of"
                + " `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the 32 bytes that"
                + " follow `whsec_` in base64. During a rotation a second signature follows after"
                + " a space, keyed with the previous secret.",
            "v1,pp4oW5mG9kYs33ia5/z9W1DDDXWXEm1rNAI7zzwPbmY=")
        .put("pattern", "^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)?$");
    return all;
  }

  /** Adds a text header; returns its schema. */
  private static ObjectNode text(
      ObjectNode all, String name, boolean required, String description, String example) {
    ObjectNode parameter =
        all.putObject(name).put("name", name).put("in", "header").put("description", description);
    if (required) {
      parameter.put("required", true);
    }
    ObjectNode schema = parameter.putObject("schema").put("type", "string");
    parameter.put("example", example);
    return schema;
  }

  private static String serviceVersion() {
    StringBuilder description =
        new StringBuilder(
            "A published revision (`GET /v1/revisions`), YYYY-MM-DD; the latest if left out. It"
                + " affects only defaults that changed.");
    for (Revision revision : Revision.values()) {
      revision
          .deprecation()
          .ifPresent(
              deprecation ->
                  description.append(
                      " Deprecated: `%s`, served until %s at least; see `/docs/changelog#%s`."
                          .formatted(
                              revision.date(),
                              deprecation.sunset(),
                              deprecation.announcement().anchor())));
    }
    return description.toString();
  }
}
