import com.example.governance.ApiException;
import com.example.governance.api.PlansApi;
import com.example.governance.model.Plan;
import java.util.function.Function;
import org.springframework.ai.tool.function.FunctionToolCallback;

public final class Governed {
  record Refund(String order, String amount) {}

  record Held(String planId) {}

  interface Call<I> {
    Plan of(I input) throws ApiException;
  }

  static <I> Function<I, String> governed(String tool) {
    return told(input -> HttpAgent.propose(tool, input));
  }

  static Function<Held, String> outcome() {
    return told(held -> new PlansApi(HttpAgent.CLIENT).retrievePlan(held.planId(), null, null));
  }

  private static <I> Function<I, String> told(Call<I> call) {
    return input -> {
      try {
        Plan plan = call.of(input);
        return plan.getDisposedAt() != null
            ? HttpAgent.result(plan)
            : "Held: waits for " + plan.getWaitingOn() + ". Ask outcome with " + plan.getId() + " later; do not call again.";
      } catch (ApiException e) {
        return "Not done: " + e.getResponseBody() + ". Do not call again.";
      }
    };
  }

  public static void main(String[] arguments) {
    var refund = FunctionToolCallback.builder("refund", Governed.<Refund>governed("sandbox.payment.refund"))
        .description("Refunds an amount, such as 42.00, of an order.").inputType(Refund.class).build();
    var outcome = FunctionToolCallback.builder("outcome", outcome())
        .description("Tells what became of a refund that was held.").inputType(Held.class).build();
    System.out.println((arguments[0].startsWith("{\"planId") ? outcome : refund).call(arguments[0]));
  }
}
