/* The empty queue: the steps that a tenant still needs before its first plan, with the user's own ids in the next one. */
import { html, nothing } from 'lit';
import { all, can, get } from './api.js';
import { api, copied, icon, loading, refusal, View } from './words.js';

const SANDBOX_REFUND = 'sandbox.payment.refund';
const REFUND = { order: '1042', amount: '42.00' };

/** Placeholders for the arguments that a tool's schema requires. */
const sample = (tool) =>
  tool.name === SANDBOX_REFUND ? REFUND : Object.fromEntries((tool.input_schema?.required ?? []).map((name) => [name, '…']));

/** An event type that matches an operator's globs. */
const watched = ([first = '*']) => (first === '*' ? 'order.complained' : first.replaceAll('*', 'complained'));

class Begin extends View {
  constructor() {
    super();
    // After the first plan, no event completes a further step.
    this.fresh = () => this.found?.plans.length || this.load();
  }

  connectedCallback() {
    super.connectedCallback();
    window.addEventListener('changed', this.fresh);
    this.load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    window.removeEventListener('changed', this.fresh);
  }

  load() {
    return this.trying(async () => {
      const [connectors, operators, plans] = await Promise.all([
        can('connectors:read') ? all('/v1/connectors') : null,
        can('operators:read') ? all('/v1/operators') : null,
        get('/v1/plans?limit=1'),
      ]);
      this.put({ found: { connectors, operators: operators?.filter((one) => one.status === 'active'), plans: plans.data }, refused: null });
    });
  }

  /** The steps, each with its state and its command. Steps that the user cannot see are left out. */
  steps() {
    const { connectors, operators, plans } = this.found;
    const tools = (connectors ?? []).flatMap((of) => of.tools.map((tool) => ({ of, tool })));
    const asked = tools.find(({ tool }) => tool.name === SANDBOX_REFUND) ?? tools.find(({ tool }) => tool.tier > 1) ?? tools[0];
    const operator = operators?.find((one) => one.model) ?? operators?.[0];
    return [
      {
        done: connectors?.length,
        seen: connectors,
        title: 'Install a connector',
        text: 'A connector is a system that actions act on. The sandbox needs no setup.',
        to: 'connectors',
        scope: 'connectors:write',
        command: () => api('/v1/connectors', { listing_id: 'cn-sandbox', name: 'sandbox' }),
      },
      {
        done: operators?.length,
        seen: operators,
        title: 'Create an operator',
        text: 'An operator sets what one proposer may do. This guardrail holds an action until a person approves it.',
        to: 'operators',
        scope: 'operators:write',
        command: () =>
          api('/v1/operators', {
            name: 'refund-desk',
            triggers: { event_types: ['order.*'] },
            guardrails: [{ name: 'refund-needs-human', decision: 'ALERT', tool: asked?.tool.name ?? SANDBOX_REFUND }],
          }),
      },
      {
        done: plans.length,
        seen: plans,
        ...(operator && !operator.model
          ? {
              title: 'Propose an action',
              text: 'Use the key of the agent, not your own, because nobody approves what they proposed.',
              to: 'keys',
              scope: 'plans:propose',
              command: () =>
                api(`/v1/operators/${operator.id}/plans`, {
                  reasoning: 'To try it out.',
                  actions: [
                    {
                      connector: asked?.of.id ?? 'cn_…',
                      tool: asked?.tool.name ?? SANDBOX_REFUND,
                      args: asked ? sample(asked.tool) : REFUND,
                      ...(!asked || asked.tool.binds?.entity ? {} : { entity_key: '…' }),
                    },
                  ],
                }),
            }
          : {
              title: 'Send an event',
              text: 'Send an event that the operator watches. The operator then proposes a plan, which appears here.',
              to: 'activity',
              scope: 'events:write',
              command: () =>
                api('/v1/events', {
                  source: operator?.triggers.sources?.[0] ?? 'shop',
                  event_type: watched(operator?.triggers.event_types ?? []),
                  payload: { id: '1042', total: '42.00' },
                }),
            }),
      },
    ].filter((step) => step.seen);
  }

  render() {
    if (!this.found) return html`<div class="empty"><h2>Nothing is waiting for approval</h2>${refusal(this.refused)}${this.refused ? nothing : loading}</div>`;
    const steps = this.steps();
    const next = steps.find((step) => !step.done);
    return html`<div class="empty">
      <h2>Nothing is waiting for approval</h2>
      <p>Plans that a guardrail holds for approval appear here automatically.${next ? ' To get your first one:' : ' To get another one:'}</p>
      ${next
        ? html`<ol class="steps">
            ${steps.map(
              (step) => html`<li aria-current=${step === next ? 'step' : nothing} class=${step.done ? 'done' : ''}>
                ${icon(step.done ? 'check' : 'dot')}
                <span><a href="#/${step.to}">${step.title}</a>${step.done ? html`<span class="muted"> · done</span>` : nothing}</span>
              </li>`,
            )}
          </ol>`
        : nothing}
      ${this.how(next ?? steps.at(-1))}
    </div>`;
  }

  how(step) {
    if (!step) return nothing;
    if (!can(step.scope) && step.scope !== 'plans:propose')
      return html`<p>${step.text} Your role cannot do this. Ask an administrator.</p>`;
    return html`<p>${step.text}</p>
      ${copied(step.command())}`;
  }
}

customElements.define('gov-begin', Begin);
