import com.example.governance.*;
import com.example.governance.api.*;
import com.example.governance.model.*;
import java.util.*;
public final class HttpAgent {
  static final ApiClient CLIENT = new ApiClient();
  static {
    CLIENT.updateBaseUri(System.getenv("BASE"));
    CLIENT.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("AGENT")));
  }

  static Plan propose(String tool, Object args) throws ApiException {
    var action = new ProposedAction().connector(System.getenv("CN")).tool(tool).args(args);
    return new PlansApi(CLIENT).proposePlan(
        System.getenv("OP"), new ProposePlanRequest().addActionsItem(action), null, 20, UUID.randomUUID().toString(), null);
  }

  static String result(Plan plan) throws ApiException {
    var actions = new ActionsApi(CLIENT);
    var action = actions.retrieveAction(plan.getActions().getFirst().getId(), null, null);
    String holder = action.getHolderActionId();
    if (!Boolean.TRUE.equals(action.getOk()) && holder == null) { // of DEDUP the earlier action has it
      return "Not done: " + plan.getStatus() + ", " + action.getError() + ", receipt " + action.getReceiptId();
    }
    return actions.retrieveResult(holder == null ? action.getId() : holder, null).getBody();
  }

  public static void main(String[] arguments) throws Exception {
    Plan plan = propose("sandbox.payment.refund", Map.of("order", arguments[0], "amount", arguments[1]));
    if (plan.getWaitingOn() == Plan.WaitingOnEnum.APPROVAL) {
      System.out.println("Waits for approval: gov approve " + plan.getId());
    }
    for (int looks = 0; plan.getDisposedAt() == null; looks++) {
      Thread.sleep(looks < 60 ? 5_000 : looks < 170 ? 30_000 : 60_000);
      plan = new PlansApi(CLIENT).retrievePlan(plan.getId(), null, null);
    }
    System.out.println(result(plan));
  }
}
