package io.actiongovernance.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Template.Unresolved;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {
  private static final JsonNode VALUES =
      Json.read(
          """
          {"payload":{"id":"1042","total":12.50,"paid":true,"none":null,"tags":["a",{"b":2}],
           "odd":"$1 \\\\ {{payload.id}}"}}
          """);

  private static JsonNode fill(String template) throws Unresolved {
    return Template.fill(Json.read(template), name -> Template.at(VALUES, name));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "\"{{payload.id}}\"; \"1042\"",
        "\"{{payload.total}}\"; 12.50",
        "\"{{ payload.total }}\"; 12.50",
        "\"{{payload.paid}}\"; true",
        "\"{{payload.none}}\"; null",
        "\"{{payload.tags}}\"; [\"a\",{\"b\":2}]",
        "\"{{payload.tags.1.b}}\"; 2"
      })
  void aLonePlaceholderKeepsTheTypeOfItsValue(String template, String filled) throws Unresolved {
    assertThat(Json.write(fill(template))).isEqualTo(filled);
  }

  @Test
  void aPlaceholderInsideTextInsertsTextOrJson() throws Unresolved {
    assertThat(fill("\"order:{{payload.id}}\"").textValue()).isEqualTo("order:1042");
    assertThat(fill("\"{{payload.id}}{{payload.total}}\"").textValue()).isEqualTo("104212.50");
    assertThat(fill("\"{{payload.tags}} {{payload.none}}\"").textValue())
        .isEqualTo("[\"a\",{\"b\":2}] null");
  }

  @Test
  void insertedTextIsNotExpandedAgain() throws Unresolved {
    assertThat(fill("\"{{payload.odd}}\"").textValue()).isEqualTo("$1 \\ {{payload.id}}");
    assertThat(fill("\"<{{payload.odd}}>\"").textValue()).isEqualTo("<$1 \\ {{payload.id}}>");
  }

  @Test
  void placeholdersInValuesAreFilledInButNotInKeys() throws Unresolved {
    assertThat(
            Json.write(
                fill(
                    "{\"{{payload.id}}\":[\"{{payload.id}}\",1,null,{\"a\":\"{{payload.paid}}\"}]}")))
        .isEqualTo("{\"{{payload.id}}\":[\"1042\",1,null,{\"a\":true}]}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{{}}", "{payload.id}", "{{payload.id", "payload.id}}", "{{{}}}", ""})
  void textThatIsNoPlaceholderIsKept(String text) throws Unresolved {
    assertThat(fill(Json.write(text)).textValue()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "payload.gone",
        "gone",
        "payload.id.x",
        "payload.tags.2",
        "payload.tags.x",
        "payload.",
        "payload..id"
      })
  void aPlaceholderThatNamesNothingIsNamed(String name) {
    assertThatExceptionOfType(Unresolved.class)
        .isThrownBy(() -> fill("\"{{" + name + "}}\""))
        .satisfies(e -> assertThat(e.name()).isEqualTo(name));
    assertThatExceptionOfType(Unresolved.class)
        .isThrownBy(() -> fill("{\"a\":[\"x {{" + name + "}}\"]}"));
  }

  @Test
  void valuesInsertedIntoAPathAreEncoded() throws Unresolved {
    UnaryOperator<String> encode = text -> URLEncoder.encode(text, StandardCharsets.UTF_8);
    assertThat(Template.text("/orders/{{id}}/x", _ -> Json.read("\"../a?b#c\""), encode))
        .isEqualTo("/orders/..%2Fa%3Fb%23c/x");
  }
}
