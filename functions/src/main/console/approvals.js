/* The queue: what waits for a person, what expires first before the rest. */
import { html, nothing } from 'lit';
import { View, headline, left, loading, plain, principal, refusal, rowOf, tier } from './words.js';
import { get, passkeyAddress } from './api.js';
import './plan.js';

const QUEUE = '/v1/plans?status=proposed&waiting_on=approval&order=deadline&limit=50';
/** How often the queue counts votes again, of which no stream tells, in milliseconds. */
const COUNT_AGAIN = 10_000;

class Approvals extends View {
  static properties = { open: { attribute: false } };

  constructor() {
    super();
    this.plans = null;
    this.fresh = () => this.load();
    this.pressed = (e) => this.press(e.detail);
  }

  connectedCallback() {
    super.connectedCallback();
    window.addEventListener('changed', this.fresh);
    window.addEventListener('pressed', this.pressed);
    this.countAgain = setInterval(() => {
      if (!document.hidden && this.plans?.some((plan) => plan.approval?.needed > 1)) this.load();
    }, COUNT_AGAIN);
    this.load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    window.removeEventListener('changed', this.fresh);
    window.removeEventListener('pressed', this.pressed);
    clearInterval(this.countAgain);
  }

  async load() {
    await this.trying(async () => {
      let next = await get(QUEUE);
      const plans = [...next.data];
      // As many as were on the screen.
      while (next.has_more && plans.length < (this.wanted ?? 0)) {
        next = await get(`${QUEUE}&cursor=${encodeURIComponent(next.next_cursor)}`);
        plans.push(...next.data);
      }
      this.put({ plans, more: next.has_more, refused: null });
    });
  }

  /** The plan that is open; null if none is. */
  shown() {
    return this.open ?? (window.matchMedia('(min-width: 1100px)').matches ? (this.kept ?? null) : null);
  }

  /** What has left the queue while it is open has its place all the same: the next plan has taken it. */
  press(key) {
    if (key !== 'j' && key !== 'k') return;
    if (!this.plans?.length) return;
    const now = this.plans.findIndex((plan) => plan.id === this.shown());
    if (now >= 0) return this.go(now + (key === 'j' ? 1 : -1));
    if (this.place === undefined) return this.go(0);
    return this.go(key === 'j' ? this.place : this.place - 1);
  }

  /** Opens the plan at a place of the queue, or at the nearest that there is, and has the keyboard stand on it. */
  go(place) {
    const { id } = this.plans[Math.min(this.plans.length - 1, Math.max(0, place))];
    this.ring = id;
    location.hash = `#/plans/${id}`;
    this.requestUpdate();
  }

  /** What comes after a plan that was decided on takes its place. */
  decided(e) {
    const at = this.plans?.findIndex((plan) => plan.id === e.detail) ?? -1;
    if (at < 0 || this.plans.length < 2) return;
    e.preventDefault();
    this.go(at + 1 < this.plans.length ? at + 1 : at - 1);
  }

  willUpdate() {
    const at = this.plans?.findIndex((plan) => plan.id === this.shown()) ?? -1;
    if (at >= 0) this.place = at;
    // Rows are drawn in the place of others: the keyboard stays on the plan that it is on, or goes to the one that is open.
    if (!this.ring && document.activeElement?.matches('.plan-row')) this.ring = document.activeElement.dataset.plan;
  }

  updated() {
    if (!this.ring) return;
    const row = (id) => this.querySelector(`.plan-row[data-plan="${CSS.escape(id ?? '')}"]`);
    (row(this.ring) ?? row(this.shown()))?.focus();
    this.ring = null;
  }

  render() {
    const wide = window.matchMedia('(min-width: 1100px)').matches;
    // What is shown stays, whatever comes into the queue before it: nobody decides on what has just taken its place.
    if (this.open) this.kept = this.open;
    else if (wide) this.kept ??= this.plans?.[0]?.id;
    const shown = this.shown();
    return html`<div class="two ${this.open ? 'one-open' : ''}">
      <section class="queue" aria-label="What waits for approval">
        <h1>Approvals ${this.plans?.length ? html`<span class="count">${this.plans.length}${this.more ? '+' : ''}</span>` : nothing}</h1>
        ${refusal(this.refused)} ${this.list(shown)}
      </section>
      <div class="detail" @decided=${(e) => this.decided(e)}>${shown ? html`<gov-plan .of=${shown} .keys=${true}></gov-plan>` : nothing}</div>
    </div>`;
  }

  list(shown) {
    if (!this.plans) return this.refused ? nothing : loading;
    if (!this.plans.length) {
      import('./begin.js');
      return html`<gov-begin></gov-begin>`;
    }
    return html`<ul class="plans">
        ${this.plans.map((plan) => rowOf(plan, () => this.row(plan, plan.id === shown)))}
      </ul>
      ${this.more
        ? html`<button type="button" class="quiet" @click=${() => { this.wanted = this.plans.length + 1; this.load(); }}>Show more</button>`
        : nothing}`;
  }

  row(plan, current) {
    return html`<li>
      <a href="#/plans/${plan.id}" data-plan=${plan.id} aria-current=${current ? 'true' : 'false'} class="plan-row">
        ${headline(plan)}
        <span class="row small">
          ${tier(plan.max_tier)}
          ${plan.action_count > 1 ? html`<span class="muted">${plain(plan.action_count)} actions</span>` : nothing}
          ${votes(plan.approval)}
        </span>
        <span class="row between small">
          <span class="muted">${principal(plan.proposed_by)}</span>
          ${left(plan.expires_at)}
        </span>
      </a>
    </li>`;
  }
}

/** How many have agreed, where it takes several, or others than who looks. */
const votes = (approval) => {
  const several = approval?.needed > 1;
  const others = approval?.you.eligible === false;
  if (!several && !others) return nothing;
  return html`<span class="muted">${several ? `${plain(approval.given)} of ${plain(approval.needed)} votes` : ''}${several && others ? ', ' : ''}${others ? (approval.you.reason === 'method' && passkeyAddress() ? 'takes a passkey' : 'not yours to approve') : ''}</span>`;
};

customElements.define('gov-approvals', Approvals);
