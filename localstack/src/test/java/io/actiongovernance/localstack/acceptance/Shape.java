package io.actiongovernance.localstack.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The fields of the API's objects: these, no others, and none left out. */
enum Shape {
  LIST("object data has_more next_cursor"),
  PLAN(
      "id object operator_id event_id correlation_id status waiting_on outcomes reasoning actions values"
          + " summaries_more guardrails_version proposed_by amended_by amends superseded_by decided_by approval_id"
          + " approver note vetoed_by"
          + " vetoed_by_principal veto_reason withdrawn proposed_at disposed_at"
          + " expires_at"),
  PLANNED_ACTION(
      "id connector tool args currency entity_key idempotency_key summary claimed verdict"
          + " action_digest tool_digest undo_of call"),
  VERDICT("decision tier rule reason limit"),
  LIMIT_USE("per kind window_seconds key used of since countable"),
  PLAN_OUTCOMES("applied refused failed unknown deduplicated skipped"),
  PLAN_ITEM(
      "id object operator_id event_id status waiting_on outcomes action_count max_tier summary value currency"
          + " values summaries_more proposed_by proposed_at expires_at approval"),
  VALUE_SUM("currency sum claimed"),
  APPROVE_RESULT("id object status approval_id approver note results skipped disposed_at"),
  DISPOSED("action_id disposition ok receipt_id verdict"),
  SKIPPED("action_id receipt_id"),
  APPROVAL(
      "id object plan_id actions skipped approver note decided_by request_id workspace_id"
          + " approved_at"),
  APPROVED("action_id action_digest tool_digest"),
  PRINCIPAL("type id name"),
  PROPOSED_BY("type id name triggered_by"),
  DECIDER("type id name verified claimed_as method at"),
  VETO_RESULT("id object status vetoed_by vetoed_by_principal veto_reason disposed_at withdrawn"),
  ACTION(
      "id object plan_id event_id operator_id correlation_id connector tool args currency entity_key"
          + " idempotency_key summary claimed action_digest tool_digest verdict disposition ok"
          + " receipt_id skipped undoable undone undo_of undo_action_id approver holder_action_id"
          + " holder_proposed_by resolution disposed_at"),
  ACTION_ITEM(
      "id object plan_id connector tool entity_key idempotency_key disposition ok receipt_id"
          + " undoable undone disposed_at"),
  ACTION_RESULT("object action_id content_type encoding body truncated bytes sha256 expires_at"),
  RESOLUTION("outcome upstream_reference reason receipt_id resolved_by_principal resolved_at"),
  UNDO_RESULT(
      "id object undone undo_action_id undo_receipt_id undone_by undone_by_principal undone_at"),
  RECEIPT(
      "id object kind outcome event_id plan_id action_id operator_id correlation_id request_id"
          + " workspace_id connector tool entity_key idempotency_key value currency action_digest"
          + " disposition verdict guardrails_version ok error approver note reason undo_of"
          + " upstream_reference billable summary tool_digest claimed result_sha256 approval_id"
          + " proposed_by decided_by holder_action_id holder_proposed_by resolves target change"
          + " hash written_at"),
  GUARDRAIL_ANALYSIS(
      "object uncovered_tools unreachable conflicts permits_more complete unbound"
          + " matches_no_tool unsatisfiable_approval"),
  EXPORT_JOB(
      "id object status format filters workspace_id row_count size_bytes sha256 download_url"
          + " url_expires_at error created_at completed_at expires_at"),
  WEBHOOK_ENDPOINT(
      "id object url types description status status_reason workspace_id secret"
          + " previous_secret_expires_at failing_since last_delivery_at created_at updated_at"),
  CHANNEL(
      "id object type types operators description workspace_id url host port has_credentials from to"
          + " status status_reason failing_since last_delivery_at created_at updated_at"),
  CHANNEL_TEST("object channel_id ok response_status error duration_ms tested_at"),
  WEBHOOK_DELIVERY(
      "id object endpoint_id type data correlation_id attempt status created_at next_attempt_at"
          + " response_status test attempts"),
  POSTED_DELIVERY("id object endpoint_id type data correlation_id attempt created_at"),
  DELIVERY_ATTEMPT("attempt at response_status error duration_ms"),
  PROPOSAL("object plan_id provider model request response digest proposed_at"),
  PROPOSAL_REQUEST("object operator_id event_id"),
  ERROR("type code message doc_url request_id param details"),
  BLOCKED_DETAILS("plan_id plan_status verdicts"),
  BLOCKED_VERDICT("action_id decision tier rule limit connector tool entity_key receipt_id"),
  LOCKED_DETAILS("entity_key holding_plan_id retry_after");

  private final Set<String> fields;

  Shape(String fields) {
    this.fields = Set.of(fields.split(" "));
  }

  /** Requires exactly these fields, and those named besides. */
  JsonNode of(JsonNode object, String... besides) {
    Set<String> expected = new TreeSet<>(fields);
    expected.addAll(List.of(besides));
    Set<String> found = new TreeSet<>();
    object.properties().forEach(field -> found.add(field.getKey()));
    assertThat(found).describedAs("%s", object).isEqualTo(expected);
    return object;
  }
}
