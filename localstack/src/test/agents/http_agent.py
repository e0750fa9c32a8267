import json, os, sys, time, urllib.error, urllib.request, uuid

class NotDone(Exception):
    """Refused, failed or unknown; the message has the receipt, if any."""


def api(path, body=None, key=""):
    headers = {"Authorization": "Bearer " + os.environ["AGENT"], "Content-Type": "application/json", "Idempotency-Key": key}
    data = json.dumps(body).encode() if body else None
    request = urllib.request.Request(os.environ["BASE"] + path, data, {k: v for k, v in headers.items() if v})
    try:
        with urllib.request.urlopen(request, timeout=40) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        refusal = json.load(error)["error"]
        raise NotDone(f"{refusal['message']} {json.dumps(refusal['details'])}") from None


def propose(tool, args, entity=None, key=None):
    action = {"connector": os.environ["CN"], "tool": tool, "args": args} | ({"entity_key": entity} if entity else {})
    # A retry with the same key gets the same plan.
    return api(f"/v1/operators/{os.environ['OP']}/plans?wait=20", {"actions": [action]}, key or str(uuid.uuid4()))


def result(plan):
    action = api(f"/v1/actions/{plan['actions'][0]['id']}")
    if not action["ok"] and not action["holder_action_id"]:  # of DEDUP the earlier action has it
        raise NotDone(f"{action.get('error') or plan.get('veto_reason') or plan['status']} (receipt {action['receipt_id']})")
    return api(f"/v1/actions/{action['holder_action_id'] or action['id']}/result")["body"]


if __name__ == "__main__":  # TOOL ARGUMENTS [ENTITY]
    plan, began = propose(sys.argv[1], json.loads(sys.argv[2]), *sys.argv[3:]), time.monotonic()
    if plan["waiting_on"] == "approval":
        print(f"Waits for approval: gov approve {plan['id']}", flush=True)
    while not plan["disposed_at"]:
        waited = time.monotonic() - began
        time.sleep(5 if waited < 300 else 30 if waited < 3600 else 60)
        plan = api(f"/v1/plans/{plan['id']}")
    print(result(plan))
