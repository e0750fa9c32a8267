package io.actiongovernance.localstack.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.net.http.HttpHeaders;
import java.util.List;
import java.util.stream.StreamSupport;

/** What a request was answered with. */
record Answer(String request, int status, HttpHeaders headers, String text) {
  JsonNode json() {
    return Json.read(text);
  }

  /** The value of a header, or an empty text. */
  String header(String name) {
    return headers.firstValue(name).orElse("");
  }

  /** Requires this status, and yields the body. */
  JsonNode is(int expected) {
    assertThat(status).describedAs("%s answered %s", request, text).isEqualTo(expected);
    return json();
  }

  /** Requires this error, and yields what is in {@code error}. */
  JsonNode isError(int expected, String code) {
    JsonNode error = is(expected).path("error");
    assertThat(error.path("code").asText()).describedAs("%s", error).isEqualTo(code);
    return error;
  }

  /** Whoever asked may not decide it. */
  void isNotEligible(String reason) {
    JsonNode error = isError(403, "approver_not_eligible");
    assertThat(error.at("/details/reason").asText()).isEqualTo(reason);
  }

  /** Requires 400 {@code invalid_parameter} that names this field. */
  JsonNode isInvalid(String param) {
    JsonNode error = isError(400, "invalid_parameter");
    assertThat(error.path("param").asText()).describedAs("%s", error).isEqualTo(param);
    return error;
  }

  /** The elements of a list. */
  List<JsonNode> data() {
    return StreamSupport.stream(is(200).path("data").spliterator(), false).toList();
  }

  /** The identifiers of the elements of a list. */
  List<String> ids() {
    return data().stream().map(item -> item.path("id").asText()).toList();
  }
}
