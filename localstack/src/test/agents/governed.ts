export type Service = { base: string; operator: string; connector: string; key: string };

class NotDone extends Error {}

async function api(service: Service, path: string, body?: unknown): Promise<any> {
  const headers: Record<string, string> = { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' };
  if (body) headers['Idempotency-Key'] = crypto.randomUUID();
  const answer = await fetch(service.base + path, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
  const json = await answer.json();
  if (!answer.ok) throw new NotDone(`${json.error.message} ${JSON.stringify(json.error.details)}`);
  return json;
}

async function told(service: Service, plan: any): Promise<string> {
  if (!plan.disposed_at) {
    return `Held: waits for ${plan.waiting_on}. Ask outcome with ${plan.id} later; do not call again.`;
  }
  const action = await api(service, `/v1/actions/${plan.actions[0].id}`);
  if (!action.ok && !action.holder_action_id) {
    throw new NotDone(`${action.error ?? plan.veto_reason ?? plan.status} (receipt ${action.receipt_id})`);
  }
  return (await api(service, `/v1/actions/${action.holder_action_id ?? action.id}/result`)).body;
}

const refusal = (error: unknown) => {
  if (error instanceof NotDone) return `Not done: ${error.message}. Do not call again.`;
  throw error;
};

export const governed = <A extends object>(service: Service, tool: string, entity?: string) => (args: A): Promise<string> =>
  api(service, `/v1/operators/${service.operator}/plans?wait=20`, {
    actions: [{ connector: service.connector, tool, args, ...(entity && { entity_key: entity }) }],
  }).then((plan) => told(service, plan)).catch(refusal);

export const outcome = (service: Service) => ({ plan_id }: { plan_id: string }): Promise<string> =>
  api(service, `/v1/plans/${plan_id}`).then((plan) => told(service, plan)).catch(refusal);
