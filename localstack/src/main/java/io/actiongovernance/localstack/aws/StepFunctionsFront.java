package io.actiongovernance.localstack.aws;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.states.MachineRunner;
import io.actiongovernance.localstack.states.MachineRunner.AlreadyExists;
import io.actiongovernance.localstack.states.MachineRunner.Described;
import io.actiongovernance.localstack.states.StepFunctions;
import io.actiongovernance.outcome.Refused;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.regex.Pattern;

/**
 * Executions of Step Functions. They are started, stopped and described in the protocol of the
 * SDKs.
 */
final class StepFunctionsFront extends AwsJsonFront {
  /** Prefix of the operation in the target header. */
  static final String SERVICE = "AWSStepFunctions";

  /** The names that AWS accepts and that are also safe as file names. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,80}");

  private static final String MACHINES = Aws.arn("states", "stateMachine:");
  private static final String EXECUTIONS = Aws.arn("states", "execution:");

  private final StepFunctions machines;

  StepFunctionsFront(StepFunctions machines) {
    super(SERVICE, "1.0");
    this.machines = machines;
  }

  @Override
  protected ObjectNode call(String operation, JsonNode request) throws Refused {
    return switch (operation) {
      case "StartExecution" -> start(request);
      case "StopExecution" -> stop(request);
      case "DescribeExecution" -> describe(request);
      default ->
          throw unknown("Step Functions", "StartExecution", "StopExecution", "DescribeExecution");
    };
  }

  private ObjectNode start(JsonNode request) throws Refused {
    String machine = after(MACHINES, request.path("stateMachineArn").asText(""));
    String name = request.path("name").asText("");
    if (!NAME.matcher(name).matches()) {
      throw new Refused("InvalidName", "Invalid Name: " + name);
    }
    JsonNode input =
        parse(
            request.path("input").asText("{}").getBytes(StandardCharsets.UTF_8),
            "InvalidExecutionInput",
            "The input is not valid JSON.");
    try {
      Instant startedAt = machine(machine).start(name, input);
      return Json.object()
          .put("executionArn", EXECUTIONS + machine + ":" + name)
          .put("startDate", seconds(startedAt));
    } catch (AlreadyExists e) {
      throw new Refused("ExecutionAlreadyExists", String.valueOf(e.getMessage()));
    }
  }

  private ObjectNode stop(JsonNode request) throws Refused {
    Named named = execution(request);
    if (!machine(named.machine()).abort(named.name())) {
      throw missing(named);
    }
    return Json.object().put("stopDate", seconds(Instant.now()));
  }

  private ObjectNode describe(JsonNode request) throws Refused {
    Named named = execution(request);
    Described found =
        machine(named.machine()).describe(named.name()).orElseThrow(() -> missing(named));
    return Json.object()
        .put("executionArn", EXECUTIONS + named.machine() + ":" + named.name())
        .put("stateMachineArn", MACHINES + named.machine())
        .put("name", named.name())
        .put("status", found.status().name())
        .put("startDate", seconds(found.startedAt()))
        .put("input", Json.write(found.input()));
  }

  private record Named(String machine, String name) {}

  private static Named execution(JsonNode request) throws Refused {
    String path = after(EXECUTIONS, request.path("executionArn").asText(""));
    int colon = path.indexOf(':');
    if (colon < 0) {
      throw new Refused("InvalidArn", "Invalid Arn: " + path);
    }
    return new Named(path.substring(0, colon), path.substring(colon + 1));
  }

  private static String after(String start, String arn) throws Refused {
    if (!arn.startsWith(start)) {
      throw new Refused("InvalidArn", "Invalid Arn: " + arn);
    }
    return arn.substring(start.length());
  }

  private MachineRunner machine(String name) throws Refused {
    return machines
        .named(name)
        .orElseThrow(
            () -> new Refused("StateMachineDoesNotExist", "State Machine Does Not Exist: " + name));
  }

  private static Refused missing(Named named) {
    return new Refused("ExecutionDoesNotExist", "Execution Does Not Exist: " + named.name());
  }

  private static BigDecimal seconds(Instant instant) {
    return BigDecimal.valueOf(instant.toEpochMilli(), 3);
  }
}
