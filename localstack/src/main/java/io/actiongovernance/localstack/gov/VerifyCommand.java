package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code gov receipts verify}: the hash of each receipt of an export, computed again. */
@Command(
    name = "verify",
    description = {
      "Computes the hash of each receipt of an export (JSON Lines) again, offline.",
      "Exit code: 0 all are right, 1 one is not, or there is none."
    })
final class VerifyCommand implements Callable<Integer> {
  /** Bytes of a line: no receipt is as long, and what is no export may have no lines at all. */
  private static final int LONGEST = 4 << 20;

  /** Wrong lines that are told of one by one. */
  private static final int MOST_TOLD = 1_000;

  @Parameters(paramLabel = "FILE", description = "The export, in JSON Lines.")
  private Path file = Path.of("");

  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  private long right;
  private long wrong;

  @Override
  public Integer call() throws Exception {
    Surroundings around = (Surroundings) spec.root().userObject();
    ObjectNode answer = Json.object();
    answer.putArray("wrong");
    try (InputStream in = new BufferedInputStream(Files.newInputStream(around.file(file)))) {
      long number = 1;
      for (byte[] line = line(in); line != null; line = line(in), number++) {
        if (line.length > 0) {
          check(line, number, answer);
        }
      }
    }
    boolean ok = wrong == 0 && right > 0;
    answer.put("ok", ok).put("receipts", right + wrong).put("right", right);
    output.say(
        answer,
        right + wrong == 0
            ? "There is no receipt in it."
            : "%d of %d receipts have the hash that they say.".formatted(right, right + wrong));
    return ok ? ExitCode.DONE : ExitCode.REFUSED;
  }

  private void check(byte[] line, long number, ObjectNode answer) {
    String id = null;
    String problem = line.length > LONGEST ? "the line is too long for a receipt" : null;
    if (problem == null) {
      try {
        JsonNode receipt = Json.parse(line);
        id = receipt.path("id").textValue();
        problem = problem(receipt);
      } catch (Json.InvalidJson | Json.NumberOutOfRange e) {
        problem = "no JSON object";
      }
    }
    if (problem == null) {
      right++;
      return;
    }
    wrong++;
    if (wrong <= MOST_TOLD) {
      answer
          .withArray("wrong")
          .addObject()
          .put("line", number)
          .put("id", id)
          .put("problem", problem);
      output.tell("Line %d, %s: %s".formatted(number, id == null ? "no receipt" : id, problem));
    }
  }

  /** What is wrong with a receipt, or null. */
  private static @Nullable String problem(JsonNode said) {
    if (!(said instanceof ObjectNode receipt) || !receipt.path("hash").isTextual()) {
      return "it has no hash";
    }
    String hash = receipt.path("hash").textValue();
    receipt.remove("hash");
    String computed = CanonicalJson.sha256(receipt);
    return computed.equals(hash) ? null : "its hash is " + hash + ", of what it says " + computed;
  }

  /** The next line without its end, at most a byte longer than any may be; null at the end. */
  private static byte @Nullable [] line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = in.read();
    if (next < 0) {
      return null;
    }
    for (; next >= 0 && next != '\n'; next = in.read()) {
      if (line.size() <= LONGEST && next != '\r') {
        line.write(next);
      }
    }
    return line.toByteArray();
  }
}
