api /v1/connectors -d '{"listing_id":"cn-sandbox","name":"sandbox"}' > /dev/null  # unless it exists
export CN=$(api /v1/connectors | jq -r '.data[] | select(.name == "sandbox") | .id')
export OP=$(api /v1/operators -d '{"name":"support-agent","guardrails":[
  {"name":"small-refunds","decision":"ALLOW","priority":10,"tool":"sandbox.payment.refund","conditions":{"max_value":20}},
  {"name":"refunds-need-a-human","decision":"ALERT","tool":"sandbox.payment.refund","conditions":{"max_value":500}},
  {"name":"no-large-refunds","decision":"BLOCK","tool":"sandbox.payment.refund","conditions":{"min_value":500.01}}]}' | jq -r .id)
export AGENT=$(api /v1/keys -d '{"name":"support-agent","role":"agent","operator_ids":["'$OP'"]}' | jq -r .secret)
export GATEWAY=$BASE/v1/operators/$OP/mcp
