package io.actiongovernance.connector;

import static io.actiongovernance.connector.ConnectorFixture.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Credentials in clear in a config. JSON is written with single quotes. */
class ClearSecretsTest {
  private static final String TOOL =
      "{'name':'a.b','capability':'a','tier':2,'input_schema':{'type':'object'},'request':{'method':'POST','path':'/x',%s}}";

  private final ConnectorFixture it = new ConnectorFixture();

  private static String http(String request) {
    return ConnectorFixture.http("acme", "https://acme.example", TOOL.formatted(request), "");
  }

  private static String param(Throwable problem) {
    return ((Refusal.Invalid) ((Problem) problem).refusal()).path();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'headers':{'X-Api-Key':'abc'} | headers.X-Api-Key",
        "'headers':{'X-Api-Key':'v1 {{args.key}}'} | headers.X-Api-Key",
        "'headers':{'DD-API-KEY':'abc'} | headers.DD-API-KEY",
        "'headers':{'X-Shopify-Access-Token':'abc'} | headers.X-Shopify-Access-Token",
        "'headers':{'PRIVATE-TOKEN':'abc'} | headers.PRIVATE-TOKEN",
        "'headers':{'cookie':'session=abc'} | headers.cookie",
        "'headers':{'Authorization':'Bearer abc'} | headers.Authorization",
        "'headers':{'Proxy-Authorization':'Basic abc'} | headers.Proxy-Authorization",
        "'query':{'api_key':'abc'} | query.api_key",
        "'query':{'apikey':['{{args.a}}','abc']} | query.apikey[1]",
        "'query':{'access_token':7} | query.access_token",
        "'query':{'token':'abc'} | query.token",
        "'body':{'auth':{'client_secret':'abc'}} | body.auth.client_secret",
        "'body':{'users':[{'password':'abc'}]} | body.users[0].password",
        "'body':{'password':{'value':'abc'}} | body.password.value",
        "'encoding':'form','body':{'auth[password]':'abc'} | body.auth[password]",
      })
  void aPlainCredentialIsRefusedWithAPointerToCredentials(String request, String at) {
    String param = "config.tools[0].request." + at;
    assertThatThrownBy(() -> it.install(http(request)))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("credentials of type")
        .satisfies(problem -> assertThat(param(problem)).isEqualTo(param));
    Connector installed = it.installed(http("'query':{'page':'1'}"));
    assertThatThrownBy(
            () ->
                it.installations.patch(
                    it.caller(null),
                    installed.id(),
                    ConnectorFixture.change(
                        "{'config':" + json(http(request)).path("config") + "}"),
                    "p"))
        .isInstanceOf(Problem.class)
        .satisfies(problem -> assertThat(param(problem)).isEqualTo(param));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'headers':{'X-Atlassian-Token':'no-check','X-Api-Version':'7'}",
        "'headers':{'X-Api-Key':'{{args.key}}'}",
        "'query':{'key':'status','page_token':'{{args.page}}','tokens':'4'}",
        "'body':{'password':'{{args.password}}','reset_password':true,'secret':null,'token':''}",
        "'body':{'note':'my password is not here'}",
      })
  void valuesThatNeedNotBeCredentialsAreAccepted(String request) {
    it.installed(http(request));
  }

  @Test
  void aCredentialInAnInverseOrAnAuthorizationServerIsRefused() {
    assertThatThrownBy(
            () ->
                it.install(
                    "{'listing_id':'cn-mcp','name':'desk','config':{'url':'https://mcp.example/mcp','inverses':{'mcp.a':{'tool':'mcp.b','args':{'api_key':'abc'}}}}}"))
        .satisfies(
            problem -> assertThat(param(problem)).isEqualTo("config.inverses.mcp.a.args.api_key"));
    assertThatThrownBy(
            () ->
                it.install(
                    ConnectorFixture.http(
                            "acme", "https://acme.example", TOOL.formatted("'body':{}"), "")
                        .replaceFirst(
                            "'tools':",
                            "'oauth2':{'authorization_url':'https://a.example/a','token_url':'https://a.example/t?x=1&client_secret=abc'},'tools':")))
        .hasMessageContaining("oauth2")
        .satisfies(problem -> assertThat(param(problem)).isEqualTo("config.oauth2.token_url"));
  }
}
