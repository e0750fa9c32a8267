package io.actiongovernance.localstack.gov;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The hashes of an export, checked without asking anybody. */
final class VerifyCommandTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  private static String receipt(String id, String value) {
    ObjectNode receipt = (ObjectNode) Json.read("{\"id\":\"" + id + "\",\"value\":" + value + "}");
    return Json.write(receipt.put("hash", CanonicalJson.sha256(receipt)));
  }

  private Ran verify(String text, String... further) throws Exception {
    Path file = Files.writeString(folder.resolve("export.jsonl"), text);
    String[] arguments = new String[3 + further.length];
    System.arraycopy(further, 0, arguments, 3, further.length);
    arguments[0] = "receipts";
    arguments[1] = "verify";
    arguments[2] = file.toString();
    return Ran.of(arguments);
  }

  @Test
  void receiptsWithTheHashThatTheySayAreRight() throws Exception {
    Ran ran = verify(receipt("rc_1", "42.00") + "\n" + receipt("rc_2", "1e3") + "\n");
    assertThat(ran).isEqualTo(new Ran(0, "2 of 2 receipts have the hash that they say.\n", ""));
  }

  @Test
  void anAlteredReceiptIsNamedAndTheOthersAreStillChecked() throws Exception {
    String altered = receipt("rc_2", "42.00").replace("42.00", "42.01");
    Ran ran =
        verify(receipt("rc_1", "1") + "\n" + altered + "\nno json\n{}\n" + receipt("rc_3", "1"));
    assertThat(ran.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(ran.out())
        .contains("Line 2, rc_2: its hash is ")
        .contains("Line 3, no receipt: no JSON object")
        .contains("Line 4, no receipt: it has no hash")
        .contains("2 of 5 receipts");
  }

  @Test
  void programsGetOneObject() throws Exception {
    Ran ran = verify(receipt("rc_1", "1") + "\n{}\n", "--json");
    JsonNode answer = Json.read(ran.out());
    assertThat(answer.path("ok").booleanValue()).isFalse();
    assertThat(answer.path("receipts").asInt()).isEqualTo(2);
    assertThat(answer.at("/wrong/0/line").asInt()).isEqualTo(2);
  }

  @Test
  void aFileWithoutAnyReceiptIsNotRight() throws Exception {
    assertThat(verify("\n").code()).isEqualTo(ExitCode.REFUSED);
  }

  @Test
  void aLineWithoutEndIsNotKept() throws Exception {
    Ran ran = verify("x".repeat(9 << 20));
    assertThat(ran.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(ran.out()).contains("the line is too long for a receipt");
  }
}
