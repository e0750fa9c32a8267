package io.actiongovernance.functions.billing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.route.TestApi;
import io.actiongovernance.functions.route.TestApi.Response;
import io.actiongovernance.functions.route.TestApi.TestTenant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The routes of the allowance (contract, section 6). JSON is written with single quotes. */
class AllowanceSpec {
  private static final String ALLOWANCE = "/v1/allowance";

  private final TestApi api = new TestApi();
  private final TestTenant tenant =
      api.tenant(Map.of("name", "Acme", "included_actions", 100, "hard_cap", 7));

  private JsonNode read(String key) {
    Response response = api.get(ALLOWANCE).key(key).send();
    assertThat(response.status()).as(response.body()).isEqualTo(200);
    return response.json();
  }

  private Response patch(String body, String key) {
    return api.request("PATCH", ALLOWANCE).body(body.replace('\'', '"')).key(key).send();
  }

  private JsonNode made(String path, String body) {
    Response response = api.post(path, body.replace('\'', '"')).key(tenant.live()).send();
    assertThat(response.status()).as(response.body()).isEqualTo(201);
    return response.json();
  }

  private String key(String fields) {
    return made("/v1/keys", "{'name':'another'," + fields + "}").get("secret").textValue();
  }

  @Test
  void theAllowanceHasTheFieldsOfTheContract() {
    assertThat(read(tenant.live()).toString())
        .isEqualTo(
            """
            {'object':'allowance','period_start':'2026-11-01T00:00:00.000Z',\
            'period_end':'2026-12-01T00:00:00.000Z','included_actions':100,'used_actions':0,\
            'remaining_actions':100,'hard_cap':7,'status':'within'}"""
                .replace('\'', '"'));
  }

  @Test
  void theCapIsChangedAndTakenAwayPerMode() {
    assertThat(patch("{'hard_cap':0}", tenant.live()).json().get("status").textValue())
        .isEqualTo("capped");
    assertThat(read(tenant.live()).get("hard_cap").intValue()).isZero();
    assertThat(read(tenant.test()).get("hard_cap").intValue()).isEqualTo(7);
    assertThat(patch("{'hard_cap':null}", tenant.live()).json().get("hard_cap").isNull()).isTrue();
    assertThat(read(tenant.live()).get("hard_cap").isNull()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | missing_parameter | hard_cap",
        "{'hard_cap':-1} | invalid_parameter | hard_cap",
        "{'hard_cap':1.5} | invalid_parameter | hard_cap",
        "{'hard_cap':'7'} | invalid_parameter | hard_cap",
        "{'hard_cap':1000000000001} | invalid_parameter | hard_cap",
        "{'hard_cap':1,'included_actions':9} | invalid_parameter | included_actions",
      })
  void aFieldThatBreaksItsRuleIsNamed(String body, String code, String param) {
    Response response = patch(body, tenant.live());
    assertThat(response.status() + " " + response.code() + " " + response.param())
        .isEqualTo("400 " + code + " " + param);
    assertThat(read(tenant.live()).get("hard_cap").intValue()).isEqualTo(7);
  }

  @Test
  void everybodyWhoReadsSeesItAndOnlyAnAdminChangesIt() {
    String operate = key("'role':'operate'");
    assertThat(read(operate).get("hard_cap").intValue()).isEqualTo(7);
    assertThat(patch("{'hard_cap':9}", operate).code()).isEqualTo("insufficient_scope");
  }

  @Test
  void toAKeyOfAWorkspaceTheTenantsAllowanceIsNotThere() {
    String pinned = key("'role':'admin','workspace_id':'ws-1'");
    assertThat(api.get(ALLOWANCE).key(pinned).send().code()).isEqualTo("not_found");
    assertThat(patch("{'hard_cap':9}", pinned).code()).isEqualTo("not_found");
  }

  @Test
  void approveAtTheCapIsQuotaExceededAndThePlanStaysProposed() {
    patch("{'hard_cap':0}", tenant.live());
    String connector =
        made("/v1/connectors", "{'listing_id':'cn-sandbox','name':'sandbox'}")
            .get("id")
            .textValue();
    String operator =
        made(
                "/v1/operators",
                "{'name':'desk','guardrails':[{'name':'hold','decision':'ALERT',"
                    + "'tool':'sandbox.payment.refund'}]}")
            .get("id")
            .textValue();
    String action =
        "{'connector':'%s','tool':'sandbox.payment.refund','entity_key':'order:1',"
            + "'idempotency_key':'refund-1','args':{'order':'1','amount':'5.00'}}";
    String plan =
        made(
                "/v1/operators/" + operator + "/plans",
                "{'actions':[" + action.formatted(connector) + "]}")
            .get("id")
            .textValue();
    String approver = api.another(tenant.live());
    Response refused = api.post("/v1/plans/" + plan + "/approve", "{}").key(approver).send();
    assertThat(refused.status() + " " + refused.code()).isEqualTo("429 quota_exceeded");
    assertThat(refused.header("Retry-After")).isEqualTo("60");
    assertThat(api.get("/v1/plans/" + plan).key(tenant.live()).send().json().get("status").asText())
        .isEqualTo("proposed");
  }
}
