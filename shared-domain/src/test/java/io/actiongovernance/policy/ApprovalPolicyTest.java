package io.actiongovernance.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a policy of approval asks for, and which of two asks for more. */
class ApprovalPolicyTest {
  private static ApprovalPolicy policy(String json) {
    ObjectNode holder =
        (ObjectNode) Json.read("{'approval':{%s}}".formatted(json).replace('\'', '"'));
    return Objects.requireNonNull(
        ApprovalPolicy.readOrNull(new Fields(holder, "", true), "approval"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'method':'passkey' | 'method':'session' | true",
        "'method':'session' | 'method':'passkey' | false",
        "'all_of':[{'count':2}] | 'all_of':[{'count':1}] | true",
        "'all_of':[{'count':1}] | 'all_of':[{'count':2}] | false",
        "'all_of':[{'groups':['a']}] | 'all_of':[{'groups':['a','b']}] | true",
        "'all_of':[{'groups':['a','b']}] | 'all_of':[{'groups':['a']}] | false",
        "'all_of':[{'groups':['a']},{'groups':['b']}] | 'all_of':[{'groups':['b']}] | true",
        "'all_of':[{'groups':['a']},{'groups':['b']}] | 'all_of':[{'count':2,'groups':['b']}] | false",
        "'all_of':[{'count':1}] | 'all_of':[{'groups':['a']}] | false",
        "'not_proposer':false | 'not_proposer':true | false",
        "'within_seconds':60 | 'within_seconds':3600 | true",
        "'method':'session' | 'within_seconds':3600 | false",
        "'not_policy_editor_seconds':60 | 'not_policy_editor_seconds':600 | false"
      })
  void policiesAreComparedByStrictness(String one, String other, boolean atLeast) {
    assertThat(policy(one).isAtLeast(policy(other))).isEqualTo(atLeast);
  }

  @Test
  void aWrittenPolicyReadsBackAsTheSame() {
    for (String json :
        List.of(
            "",
            "'method':'key'",
            "'all_of':[{'count':2,'groups':['b','a']},{}],'method':'passkey','within_seconds':60")) {
      ApprovalPolicy policy = policy(json);
      ObjectNode holder = Json.object();
      holder.set("approval", policy.wire());
      assertThat(ApprovalPolicy.readOrNull(new Fields(holder, "", true), "approval"))
          .isEqualTo(policy);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'all_of':[] | approval.all_of",
        "'all_of':[{'count':6},{'count':5}] | approval.all_of",
        "'all_of':[{'count':0}] | approval.all_of[0].count",
        "'all_of':[{'count':1}],'method':'key' | approval.method",
        "'method':'mail' | approval.method",
        "'within_seconds':1 | approval.within_seconds",
        "'fresh_seconds':1 | approval.fresh_seconds"
      })
  void anInvalidPolicyIsRefusedByItsField(String json, String path) {
    assertThatThrownBy(() -> policy(json))
        .isInstanceOfSatisfying(
            Problem.class, problem -> assertThat(problem.refusal().path()).isEqualTo(path));
  }

  @Test
  void matchingMovesAnApproverWhoFitsAnotherRequirement() {
    ApprovalPolicy policy = policy("'all_of':[{'groups':['a']},{'groups':['b']}]");
    Matching<List<String>> matching =
        Matching.of(
            policy,
            List.of(List.of("a", "b"), List.of("a")),
            (groups, requirement) -> requirement.admits(groups));
    assertThat(matching.complete()).isTrue();
    assertThat(
            Matching.of(
                    policy,
                    List.of(List.of("a", "b"), List.of("c")),
                    (groups, requirement) -> requirement.admits(groups))
                .complete())
        .isFalse();
  }
}
