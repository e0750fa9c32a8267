package io.actiongovernance.localstack.gov;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.samples.SoftwareAuthenticator;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.people.Assertion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The hashes of an export, checked without asking anybody. */
final class VerifyCommandTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  private static String receipt(String id, String value) {
    return sealed(json("{'id':'" + id + "','value':" + value + "}"));
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
  void receiptsWithMatchingHashesAreRight() throws Exception {
    Ran ran = verify(receipt("rc_1", "42.00") + "\n" + receipt("rc_2", "1e3") + "\n");
    assertThat(ran).isEqualTo(new Ran(0, "2 of 2 receipts are right.\n", ""));
  }

  @Test
  void anAlteredReceiptIsNamedAndTheOthersAreStillChecked() throws Exception {
    String altered = receipt("rc_2", "42.00").replace("42.00", "42.01");
    Ran ran =
        verify(receipt("rc_1", "1") + "\n" + altered + "\nno json\n{}\n" + receipt("rc_3", "1"));
    assertThat(ran.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(ran.out())
        .contains("Line 2, rc_2: its hash is ")
        .contains("Line 3, no receipt: not a JSON object")
        .contains("Line 4, no receipt: it has no hash")
        .contains("2 of 5 receipts");
  }

  @Test
  void jsonOutputIsOneObject() throws Exception {
    Ran ran = verify(receipt("rc_1", "1") + "\n{}\n", "--json");
    JsonNode answer = Json.read(ran.out());
    assertThat(answer.path("ok").booleanValue()).isFalse();
    assertThat(answer.path("receipts").asInt()).isEqualTo(2);
    assertThat(answer.at("/wrong/0/line").asInt()).isEqualTo(2);
  }

  @Test
  void aFileWithoutReceiptsIsRefused() throws Exception {
    assertThat(verify("\n").code()).isEqualTo(ExitCode.REFUSED);
  }

  @Test
  void anEndlessLineIsRefused() throws Exception {
    Ran ran = verify("x".repeat(9 << 20));
    assertThat(ran.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(ran.out()).contains("the line is too long for a receipt");
  }

  private final SoftwareAuthenticator passkey =
      SoftwareAuthenticator.at("https://gov.acme.example", "gov.acme.example");

  private static String sealed(ObjectNode receipt) {
    receipt.remove("hash");
    return Json.write(receipt.put("hash", CanonicalJson.sha256(receipt)));
  }

  private static ObjectNode json(String text) {
    return (ObjectNode) Json.read(text.replace('\'', '"'));
  }

  private static ObjectNode statement() {
    return json(
        "{'v':1,'purpose':'plan.approve','rp':'gov.acme.example','plan_id':'pl_1',"
            + "'selected':[{'action_id':'act_1','digest':'7a97'}],'skipped':['act_2'],"
            + "'approver':'per_1','note_sha256':null,'nonce':'n'}");
  }

  private static ObjectNode vote(ObjectNode statement, SoftwareAuthenticator by) {
    Assertion made =
        by.sign(
            HexFormat.of()
                .parseHex(CanonicalJson.sha256("approval.v1\n" + CanonicalJson.of(statement))));
    ObjectNode vote =
        json(
            "{'id':'rc_vote','kind':'approval','outcome':'voted','plan_id':'pl_1',"
                + "'decided_by':[{'id':'per_1','receipt_id':'rc_vote'}]}");
    vote.putObject("evidence")
        .put("method", "passkey")
        .put(
            "public_key_spki",
            Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(by.key().getPublic().getEncoded()))
        .put("authenticator_data", made.authenticatorData())
        .put("client_data", made.clientData())
        .put("signature", made.signature())
        .set("statement", statement);
    return vote;
  }

  private static String action(String id, String outcome, String digest) {
    return sealed(
        json(
            ("{'id':'rc_%s','kind':'action','outcome':'%s','plan_id':'pl_1','action_id':'%s',"
                    + "'action_digest':'%s','decided_by':[{'id':'per_1','receipt_id':'rc_vote'}]}")
                .formatted(id, outcome, id, digest)));
  }

  @Test
  void aSignatureProvesTheVoteAndTheVoteTheAction() throws Exception {
    Ran ran =
        verify(
            String.join(
                "\n",
                action("act_1", "applied", "7a97"),
                action("act_2", "skipped", "11"),
                sealed(vote(statement(), passkey))));
    assertThat(ran)
        .isEqualTo(
            new Ran(
                0,
                """
                3 of 3 receipts are right.
                1 votes are signed; for 0 more there is only the service's word.
                """,
                ""));
  }

  @Test
  void anActionThatDiffersFromItsVoteIsReported() throws Exception {
    String vote = sealed(vote(statement(), passkey));
    assertThat(verify(vote + "\n" + action("act_1", "applied", "7a98")).out())
        .contains("Line 2, rc_act_1: the vote rc_vote was not for this");
    assertThat(verify(vote + "\n" + action("act_2", "applied", "11")).code()).isOne();
    assertThat(verify(action("act_1", "applied", "7a97")).out())
        .contains("1 votes that were counted are not in the file.");
  }

  @Test
  void aVoteNotSignedByItsKeyIsWrongDespiteItsHash() throws Exception {
    ObjectNode other = vote(statement(), passkey);
    ((ObjectNode) other.at("/evidence/statement/selected/0")).put("digest", "7a98");
    assertThat(verify(sealed(other)).out()).contains("rc_vote: another statement was signed");
    ObjectNode noted = vote(statement(), passkey).put("note", "So said the CFO.");
    assertThat(verify(sealed(noted)).out()).contains("its statement is not of this vote");
    ObjectNode stranger = vote(statement(), passkey);
    SoftwareAuthenticator another =
        SoftwareAuthenticator.at("https://gov.acme.example", "gov.acme.example");
    ((ObjectNode) stranger.path("evidence"))
        .set("public_key_spki", vote(statement(), another).at("/evidence/public_key_spki"));
    assertThat(verify(sealed(stranger)).out()).contains("the key in it did not sign its statement");
    ((ObjectNode) stranger.path("evidence")).put("public_key_spki", "AA");
    assertThat(verify(sealed(stranger)).out()).contains("what was signed cannot be read");
    assertThat(verify(sealed(vote(statement(), passkey.withoutVerification()))).out())
        .contains("without its user being verified");
    assertThat(verify(sealed(vote(statement(), passkey.onPageOf("https://evil.example")))).out())
        .contains("on a page of https://evil.example");
    assertThat(verify(sealed(vote(statement(), passkey.boundTo("evil.example")))).out())
        .contains("for a name other than gov.acme.example");
  }
}
