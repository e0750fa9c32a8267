/* The queue: plans waiting for approval, the earliest expiry first. */
import { html, nothing } from 'lit';
import { View, headline, left, loading, plain, principal, refusal, rowOf, tier } from './words.js';
import { get, passkeyAddress } from './api.js';
import './plan.js';

const QUEUE = '/v1/plans?status=proposed&waiting_on=approval&order=deadline&limit=50';
/** Milliseconds between two counts of votes, which no stream reports. */
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
      // Load as many as were on the screen.
      while (next.has_more && plans.length < (this.wanted ?? 0)) {
        next = await get(`${QUEUE}&cursor=${encodeURIComponent(next.next_cursor)}`);
        plans.push(...next.data);
      }
      this.put({ plans, more: next.has_more, refused: null });
    });
  }

  /** The open plan; null if none. */
  shown() {
    return this.open ?? (window.matchMedia('(min-width: 1100px)').matches ? (this.kept ?? null) : null);
  }

  /** Moves to the next or previous plan. If the open plan has left the queue, the plan now at its place comes next. */
  press(key) {
    if (key !== 'j' && key !== 'k') return;
    if (!this.plans?.length) return;
    const now = this.plans.findIndex((plan) => plan.id === this.shown());
    if (now >= 0) return this.go(now + (key === 'j' ? 1 : -1));
    if (this.place === undefined) return this.go(0);
    return this.go(key === 'j' ? this.place : this.place - 1);
  }

  /** Opens and focuses the plan at a place of the queue, or at the nearest place that exists. */
  go(place) {
    const { id } = this.plans[Math.min(this.plans.length - 1, Math.max(0, place))];
    this.ring = id;
    location.hash = `#/plans/${id}`;
    this.requestUpdate();
  }

  /** Opens the plan after a decided one. */
  decided(e) {
    const at = this.plans?.findIndex((plan) => plan.id === e.detail) ?? -1;
    if (at < 0 || this.plans.length < 2) return;
    e.preventDefault();
    this.go(at + 1 < this.plans.length ? at + 1 : at - 1);
  }

  willUpdate() {
    const at = this.plans?.findIndex((plan) => plan.id === this.shown()) ?? -1;
    if (at >= 0) this.place = at;
    // Rows are reused for other plans. The focus stays with its plan, or moves to the open one.
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
    // The shown plan stays when others enter the queue before it, so that nobody decides on a plan that just took its place.
    if (this.open) this.kept = this.open;
    else if (wide) this.kept ??= this.plans?.[0]?.id;
    const shown = this.shown();
    return html`<div class="two ${this.open ? 'one-open' : ''}">
      <section class="queue" aria-label="Waiting for approval">
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
          ${left(plan.expires_at, 'expires in ')}
        </span>
      </a>
    </li>`;
  }
}

/** The number of votes if a plan needs several, and a note if the user cannot vote. */
const votes = (approval) => {
  const several = approval?.needed > 1;
  const others = approval?.you.eligible === false;
  if (!several && !others) return nothing;
  return html`<span class="muted">${several ? `${plain(approval.given)} of ${plain(approval.needed)} votes` : ''}${several && others ? ', ' : ''}${others ? (approval.you.reason === 'method' && passkeyAddress() ? 'needs a passkey' : 'you cannot approve this') : ''}</span>`;
};

customElements.define('gov-approvals', Approvals);
