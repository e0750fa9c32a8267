package io.actiongovernance.functions.route;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import java.util.Map;

/**
 * The event that each function receives once a day, so that Lambda does not deactivate it for lack
 * of use. It has no effect: nothing is read, written or sent.
 *
 * <p>One JSON text serves all kinds of events. Queues and streams see an event without records; the
 * other functions recognize a field. No request can be mistaken for this event, because the gateway
 * sets a request's resource, which begins with a slash.
 */
public final class StayAwake {
  public static final String EVENT =
      "{\"Records\":[],\"resource\":\"stay-awake\",\"stay_awake\":true}";

  private static final String RESOURCE = "stay-awake";
  private static final String FIELD = "stay_awake";
  private static final int NO_CONTENT = 204;

  private StayAwake() {}

  /** Returns whether this is the stay-awake event, sent in place of a request. */
  public static boolean is(APIGatewayProxyRequestEvent event) {
    return RESOURCE.equals(event.getResource());
  }

  /**
   * Returns whether this is the stay-awake event, sent in place of a timer, a schedule or an
   * invocation by name.
   */
  public static boolean is(Map<String, Object> event) {
    return Boolean.TRUE.equals(event.get(FIELD));
  }

  /** The response to this event from functions that answer requests. */
  public static APIGatewayProxyResponseEvent answer() {
    return ApiFunction.proxied(response());
  }

  static HttpResponse response() {
    return new HttpResponse(NO_CONTENT, Map.of(), Map.of(), Content.NOTHING);
  }
}
