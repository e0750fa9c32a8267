package io.actiongovernance.functions.route;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import java.util.Map;

/**
 * The event that each function gets once a day so that it is not put away for lack of use. Nothing
 * comes of it: nothing is read, written or sent. One text for all kinds of events: of queues and
 * streams it is one without records, to the others it is known by a field. No request can be taken
 * for it, since the resource of a request is the gateway's to say, and begins with a slash.
 */
public final class StayAwake {
  /** The event, as JSON. */
  public static final String EVENT =
      "{\"Records\":[],\"resource\":\"stay-awake\",\"stay_awake\":true}";

  private static final String RESOURCE = "stay-awake";
  private static final String FIELD = "stay_awake";
  private static final int NO_CONTENT = 204;

  private StayAwake() {}

  /** Whether it came in the place of a request. */
  public static boolean is(APIGatewayProxyRequestEvent event) {
    return RESOURCE.equals(event.getResource());
  }

  /** The same of a timer, a schedule or an invocation by name. */
  public static boolean is(Map<String, Object> event) {
    return Boolean.TRUE.equals(event.get(FIELD));
  }

  /** What is answered to it, where requests are. */
  public static APIGatewayProxyResponseEvent answer() {
    return ApiFunction.proxied(response());
  }

  static HttpResponse response() {
    return new HttpResponse(NO_CONTENT, Map.of(), Map.of(), Content.NOTHING);
  }
}
