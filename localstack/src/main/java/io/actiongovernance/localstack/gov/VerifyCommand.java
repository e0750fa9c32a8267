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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "verify",
    description = {
      "Recomputes the hash of each receipt of an export (JSON Lines), offline,",
      "and checks what was signed for votes, and that what ran is what was voted for.",
      "Exit code: 0 all is right, 1 something is not, or there is no receipt."
    })
final class VerifyCommand implements Callable<Integer> {
  /**
   * Maximum size of a line in bytes. No receipt is as long, and a file that is not an export may
   * have no lines at all.
   */
  private static final int LONGEST = 4 << 20;

  /** Maximum number of wrong lines that are reported one by one. */
  private static final int MOST_TOLD = 1_000;

  @Parameters(paramLabel = "FILE", description = "The export, in JSON Lines.")
  private Path file = Path.of("");

  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  private final ObjectNode answer = Json.object();
  private final CountedVotes votes = new CountedVotes();
  private final Set<Long> wrong = new HashSet<>();
  private long receipts;
  private long signed;
  private long unsigned;
  private boolean decided;

  @Override
  public Integer call() throws Exception {
    answer.putArray("wrong");
    eachReceipt(this::check);
    if (decided) {
      // A vote may come after the receipt that it decided.
      eachReceipt(this::checkDeciders);
    }
    boolean ok = wrong.isEmpty() && receipts > 0;
    answer.put("ok", ok).put("receipts", receipts).put("right", receipts - wrong.size());
    answer
        .putObject("votes")
        .put("signed", signed)
        .put("unsigned", unsigned)
        .put("absent", votes.absent());
    output.say(answer, said());
    return ok ? ExitCode.DONE : ExitCode.REFUSED;
  }

  private List<String> said() {
    if (receipts == 0) {
      return List.of("The file has no receipt.");
    }
    List<String> said = new ArrayList<>();
    said.add("%s of %s receipts are right.".formatted(receipts - wrong.size(), receipts));
    if (signed + unsigned > 0) {
      said.add(
          "%s votes are signed; for %s more there is only the service's word."
              .formatted(signed, unsigned));
    }
    if (votes.absent() > 0) {
      said.add("%s votes that were counted are not in the file.".formatted(votes.absent()));
    }
    return said;
  }

  /** A line of the file, which is a receipt or has a problem. */
  private record Line(long number, @Nullable JsonNode json, @Nullable String problem) {
    boolean isVote() {
      return json != null
          && json.path("kind").asText().equals("approval")
          && json.path("outcome").asText().equals("voted");
    }
  }

  private void check(Line line) {
    receipts++;
    JsonNode receipt = line.json();
    String problem = receipt == null ? line.problem() : problem(receipt);
    if (problem == null && receipt != null && line.isVote()) {
      VoteProof proof = new VoteProof(receipt);
      problem = proof.problem();
      if (problem == null) {
        votes.keep(receipt);
        if (proof.signed()) {
          signed++;
        } else {
          unsigned++;
        }
      }
    }
    decided |= receipt != null && isDecided(receipt);
    tell(line, problem);
  }

  private void checkDeciders(Line line) {
    JsonNode receipt = line.json();
    if (receipt != null && !wrong.contains(line.number()) && isDecided(receipt)) {
      tell(line, votes.problem(receipt));
    }
  }

  /** Returns whether the receipt is about an action that votes decided. */
  private static boolean isDecided(JsonNode receipt) {
    return receipt.path("kind").asText().equals("action")
        && receipt.at("/decided_by/0/receipt_id").isTextual();
  }

  private void tell(Line line, @Nullable String problem) {
    if (problem == null) {
      return;
    }
    wrong.add(line.number());
    if (wrong.size() <= MOST_TOLD) {
      String id = line.json() == null ? null : line.json().path("id").textValue();
      answer
          .withArray("wrong")
          .addObject()
          .put("line", line.number())
          .put("id", id)
          .put("problem", problem);
      output.tell(
          "Line %s, %s: %s".formatted(line.number(), id == null ? "no receipt" : id, problem));
    }
  }

  /** Returns the problem with the hash of a receipt; null if there is none. */
  private static @Nullable String problem(JsonNode said) {
    if (!(said instanceof ObjectNode receipt) || !receipt.path("hash").isTextual()) {
      return "it has no hash";
    }
    String hash = receipt.path("hash").textValue();
    receipt.remove("hash");
    String computed = CanonicalJson.sha256(receipt);
    return computed.equals(hash)
        ? null
        : "its hash is " + hash + ", but that of its content is " + computed;
  }

  private void eachReceipt(Consumer<Line> consumer) throws IOException {
    Surroundings around = (Surroundings) spec.root().userObject();
    try (InputStream in = new BufferedInputStream(Files.newInputStream(around.file(file)))) {
      long number = 1;
      for (byte[] line = line(in); line != null; line = line(in), number++) {
        if (line.length > 0) {
          consumer.accept(read(number, line));
        }
      }
    }
  }

  private static Line read(long number, byte[] line) {
    if (line.length > LONGEST) {
      return new Line(number, null, "the line is too long for a receipt");
    }
    try {
      return new Line(number, Json.parse(line), null);
    } catch (Json.InvalidJson | Json.NumberOutOfRange e) {
      return new Line(number, null, "not a JSON object");
    }
  }

  /**
   * Returns the next line without its line end; null after the last. A line that is too long is cut
   * one byte after {@code LONGEST}.
   */
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
