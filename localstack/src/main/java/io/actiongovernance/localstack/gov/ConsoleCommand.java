package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "console",
    description = "Prints an address at which a browser is signed in, once, as the key.")
final class ConsoleCommand implements Callable<Integer> {
  @Mixin private Connection connection = new Connection();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() throws Exception {
    JsonNode ticket = connection.api().post("/v1/sign_in/tickets", Json.object(), null);
    output.say(ticket, ticket.path("url").asText());
    return ExitCode.DONE;
  }
}
