/* Requested plans with their outcomes, newest first; and everything that one event, request or chain led to. */
import { html, nothing } from 'lit';
import { all, can, get } from './api.js';
import { ago, api, empty, headline, icon, ID, link, loading, long, named, own, pill, principal, raw, refusal, reveal, rowOf, state, table, tier, View, when } from './words.js';
import './plan.js';

const STATES = [
  ['', 'All'],
  ['proposed', 'Waiting or running'],
  ['executed', 'Executed'],
  ['vetoed', 'Vetoed'],
  ['expired', 'Expired'],
];

class Activity extends View {
  constructor() {
    super();
    this.status = '';
    this.entity = '';
    this.pages = 1;
    this.fresh = () => this.load();
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

  async load() {
    const asked = `${this.status}|${this.entity}|${this.pages}`;
    this.asked = asked;
    const query = `/v1/plans?limit=30${this.status ? `&status=${this.status}` : ''}${this.entity ? `&entity=${encodeURIComponent(this.entity)}` : ''}`;
    await this.trying(async () => {
      const plans = [];
      let page = null;
      for (let i = 0; i < this.pages && (!page || page.has_more); i++) {
        page = await get(query + (page ? `&cursor=${encodeURIComponent(page.next_cursor)}` : ''));
        plans.push(...page.data);
      }
      const unresolved = can('actions:read') ? (await get('/v1/actions?unresolved=true&limit=20')).data : [];
      if (this.asked === asked) this.put({ plans, more: page.has_more, unresolved, refused: null });
    });
  }

  choose(changes) {
    this.put({ pages: 1, ...changes });
    this.load();
  }

  render() {
    return html`<div class="page">
      <h1>Activity</h1>
      ${refusal(this.refused)}
      ${this.unresolved?.length
        ? html`<section class="note warn" aria-label="Unknown outcomes">
            ${icon('hand')}
            <div>
              <p><b>The outcome of ${this.unresolved.length === 1 ? 'an action' : `${this.unresolved.length} actions`} is unknown.</b> Look it up in the source system, then record it.</p>
              <ul>
                ${this.unresolved.map((one) => html`<li>${link(one.plan_id, html`${reveal(one.tool)} on ${reveal(one.entity_key)}`)} ${ago(one.disposed_at)}</li>`)}
              </ul>
            </div>
          </section>`
        : nothing}
      <div class="bars">
        <div>
          <label for="state">Status</label>
          <select id="state" @change=${(e) => this.choose({ status: e.target.value })}>
            ${STATES.map(([of, said]) => html`<option value=${of}>${said}</option>`)}
          </select>
        </div>
        <div>
          <label for="entity">Entity</label>
          <input id="entity" placeholder="order:1042" @change=${(e) => this.choose({ entity: e.target.value.trim() })} />
        </div>
      </div>
      ${this.list()}
    </div>`;
  }

  list() {
    if (!this.plans) return this.refused ? nothing : loading;
    if (!this.plans.length)
      return this.status || this.entity
        ? html`<p class="muted">No plans match these filters.</p>`
        : empty(
            'No plans yet',
            'An operator proposes a plan when an event that it watches arrives. Send one:',
            api('/v1/events', { source: 'shop', event_type: 'order.complained', payload: { id: '1042', total: '42.00' } }),
          );
    return html`<ul class="plans">
        ${this.plans.map((plan) => rowOf(plan, planRow))}
      </ul>
      ${this.more ? html`<button type="button" class="quiet" @click=${() => { this.pages += 1; this.load(); }}>Show more</button>` : nothing}`;
  }
}

const planRow = (plan) => {
  return html`<li>
    <a href="#/plans/${plan.id}" class="plan-row">
      ${headline(plan)}
      <span class="row between small">
        <span class="row">
          ${state(plan)} ${tier(plan.max_tier)} <span class="muted">${principal(plan.proposed_by)}</span>
        </span>
        <span class="muted">${ago(plan.proposed_at)}</span>
      </span>
    </a>
  </li>`;
};

/** Number of latest proposals that are searched for plans of a chain. */
const LATE = 100;
const RECEIPTS = { events: 'event_id', requests: 'request_id', chains: 'correlation_id' };
const KINDS = { proposal: 'Proposal', config: 'Change to', halt: 'Halt', resolution: 'Resolution', undo: 'Undo', action: 'Action', approval: 'Vote' };
const TITLES = { events: 'Event', requests: 'Request', chains: 'Chain' };

/** Everything that one event, request or chain led to. */
class Chain extends View {
  static properties = { kind: {}, of: { attribute: false }, from: { attribute: false } };

  willUpdate(changed) {
    if (changed.has('of')) {
      this.receipts = null;
      this.event = null;
      this.refused = null;
      this.load();
    }
  }

  async load() {
    const { kind, of } = this;
    await this.trying(async () => {
      const event = kind === 'events' ? await get(`/v1/events/${of}`) : null;
      const receipts = can('receipts:read') ? await all(`/v1/receipts?${RECEIPTS[kind]}=${of}`, 200) : [];
      const ids = new Set([...(event?.plan_ids ?? []), ...receipts.map((one) => one.plan_id)].filter(Boolean));
      const events = new Set(receipts.map((one) => one.event_id).filter(Boolean));
      if (event) (await get(`/v1/plans?event_id=${of}&limit=50`)).data.forEach((plan) => ids.add(plan.id));
      if (kind === 'chains') await this.open(ids, events);
      this.put({ event, receipts: receipts.toReversed(), events: event ? [] : [...events], plans: [...ids] });
    });
  }

  /** Adds plans of the chain that have no receipt yet: the plan that linked here, and those among the latest proposals. */
  async open(ids, events) {
    const { of, from } = this;
    const plan = ID.test(from ?? '') ? await get(`/v1/plans/${from}`).catch(() => null) : null;
    if (plan?.correlation_id === of) {
      ids.add(plan.id);
      if (plan.event_id) events.add(plan.event_id);
    }
    if (!can('events:read', 'plans:read')) return;
    const late = await get(`/v1/events?include=plans&event_type=plan.proposed&limit=${LATE}`);
    for (const one of late.data) if (one.correlation_id === of) one.plan_ids.forEach((id) => ids.add(id));
  }

  render() {
    if (!this.receipts) return html`<div class="page">${refusal(this.refused)}${this.refused ? nothing : loading}</div>`;
    const { event } = this;
    return html`<div class="page">
      <h1>${event ? html`${TITLES[this.kind]} ${named(event.event_type)}` : TITLES[this.kind]}</h1>
      <p class="id muted">${this.of}</p>
      ${event
        ? html`<section class="card" aria-label="Event">
            <p class="row small">
              <span class="muted">from</span> ${reveal(event.source)} <span class="muted">·</span> ${when(event.created_at)}
              <span class="muted">·</span> ${link(event.correlation_id, 'its chain')}
            </p>
            ${table(event.payload, 'Payload')} ${raw(`/v1/events/${event.id}`, event)}
          </section>`
        : nothing}
      ${this.events.length ? html`<p>Events: ${this.events.map((id) => html`${link(id)} `)}</p>` : nothing}
      ${this.plans.length
        ? this.plans.map((id) => html`<section class="card" aria-label="Plan"><gov-plan .of=${id}></gov-plan></section>`)
        : html`<p class="muted">No plan resulted from this${this.kind === 'requests' ? ', or none that has ended' : ''}.</p>`}
      ${this.others()}
    </div>`;
  }

  /** Receipts without a plan: of configuration, halts and refused proposals. */
  others() {
    const others = this.receipts.filter((one) => !one.plan_id);
    if (!others.length) return nothing;
    return html`<section aria-labelledby="others">
      <h2 id="others">Receipts</h2>
      <ul class="lines">
        ${others.map(
          (one) => html`<li class="row between">
            <span>${pill(one.outcome)} ${link(one.id, `${own(KINDS, one.kind) ?? one.kind} ${one.target ? one.target.type.replaceAll('_', ' ') : ''}`.trim())} ${one.error ?? one.reason ? long(one.error ?? one.reason) : nothing}</span>
            <span class="muted small">${when(one.written_at)}</span>
          </li>`,
        )}
      </ul>
    </section>`;
  }
}

customElements.define('gov-activity', Activity);
customElements.define('gov-chain', Chain);
