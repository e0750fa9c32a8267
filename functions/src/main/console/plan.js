/* A plan: the facts that an approver needs, the decision, and the outcome. */
import { html, nothing } from 'lit';
import {
  all, can, digits, get, halts, isNumber, keepPlace, known, lookForHalts, name, passkeyAddress, pause, send, who,
} from './api.js';
import { ask, STEADY, tell } from './ask.js';
import {
  View, ago, byWeight, icon, left, limitSaid, link, loading, long, named, own, pill, plain, principal, raw, refusal, refusedAnyway, reveal, span, state, table, tier, times, totalOf, valueOf, when,
} from './words.js';

/** The conditions of a guardrail, each with the action's value. */
function conditions(guardrail, action) {
  const asked = guardrail.conditions ?? {};
  const here = (said) => html`<span class="here">in this action: ${said}</span>`;
  const value = valueOf(action) ?? 'none';
  const claimed = (field) => (action.claimed?.includes(field) ? ', claimed by the proposer' : '');
  const found = [];
  const bound = (bound, sign) => {
    if (bound !== null && bound !== undefined)
      found.push(html`value ${sign} ${plain(bound)} ${here(reveal(value + claimed('value')))}`);
  };
  bound(asked.min_value, '≥');
  bound(asked.max_value, '≤');
  if (asked.currency) found.push(html`currency is ${reveal(asked.currency)} ${here(reveal(action.currency ?? 'none'))}`);
  if (asked.entity_key) found.push(html`entity is ${reveal(asked.entity_key)} ${here(reveal(action.entity_key))}`);
  if (asked.max_tier !== null && asked.max_tier !== undefined)
    found.push(html`tier at most ${asked.max_tier} ${here(action.verdict.tier)}`);
  for (const { path, op, value: than } of asked.args ?? []) {
    const found_ = at(action.args, path);
    found.push(
      html`<code>${reveal(path)}</code> ${op.replace('_', ' ')} ${than === undefined ? '' : reveal(plain(than))}
        ${here(found_ === undefined ? 'none' : reveal(plain(found_)))}`,
    );
  }
  const open = times(asked.within);
  if (open.length) found.push(html`within ${open.map((one, at) => html`${at ? ', or ' : ''}${one}`)}`);
  for (const limit of guardrail.limits ?? [])
    found.push(
      html`at most
      ${[limit.max_actions != null && `${plain(limit.max_actions)} actions`, limit.max_value != null && plain(limit.max_value)]
        .filter(Boolean)
        .join(' and ')}
      per ${limit.per} in ${span(Number(plain(limit.window_seconds)))}`,
    );
  return found;
}

/** The value at a JSON pointer, without properties that JavaScript adds. */
const at = (value, pointer) =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((inner, part) => (inner !== null && typeof inner === 'object' && !isNumber(inner) ? own(inner, part) : undefined), value);

const SAYS = {
  ALERT: 'Approval is required because',
  ALLOW: 'Allowed because',
  BLOCK: 'Blocked because',
};

/** Returns whether two readings of a plan are equal, except for the expiry, which a halt moves. */
function same(one, other) {
  const text = (plan) => JSON.stringify({ ...plan, expires_at: null });
  return text(one) === text(other);
}

const DOING = {
  approve: 'Approving …',
  sign: 'Your browser is asking for your passkey …',
  locked: 'Another plan is using the same entity. Waiting for it …',
};
/** Milliseconds for which the page retries if another plan has locked the entity. */
const LOCKED = 60_000;
/** The lowest tier whose approval always needs a second confirmation. */
const ASKED_TWICE = 2;
/** Characters of a request's body that the API shows at most. */
const SHOWN = 4096;
/** Milliseconds between two readings of the votes on an open plan. */
const VOTES_AGAIN = 3000;

/** Approves, with a passkey signature if one is required. Calls `signing` before it; returns null if nothing was signed. */
async function approved(plan, votes, body, signing) {
  const path = `/v1/plans/${plan.id}`;
  const signs = who()?.principal.type === 'person' && votes.requirements.some((one) => one.method === 'passkey');
  if (!signs) return send('POST', `${path}/approve`, body);
  const { signed } = await import('./passkeys.js');
  const challenge = await send('POST', `${path}/approval/challenges`, body);
  signing();
  const signature = await signed(challenge);
  return signature && send('POST', `${path}/approve`, { ...body, ...signature });
}

/* The data that is loaded for a plan, besides the plan itself. */
const OF_A_PLAN = ['connectors', 'votes', 'guardrails', 'history', 'event', 'approval', 'receipts', 'actions', 'refusing'];

/**
 * A plan that can be decided on only after all of it was shown. It is first drawn without its decision buttons, and with them
 * once no part is missing and none has failed. After a change this starts again, and a second passes before a decision.
 *
 * keys: whether keys decide on it; if several plans are on a page, they do not
 */
class Plan extends View {
  static properties = { of: { attribute: false }, keys: { attribute: false } };

  constructor() {
    super();
    this.asked = this.answered = 0;
    this.addEventListener('not-shown', (e) => this.partFailed(e));
  }

  willUpdate(changed) {
    if (changed.has('of')) {
      // Nothing of the previous plan may stand beside this one.
      this.plan = this.refused = this.lost = this.complete = this.whole = null;
      for (const found of OF_A_PLAN) this[found] = undefined;
      this.left_ = new Set();
      this.note = '';
      this.unsettle();
      this.load();
    }
  }

  connectedCallback() {
    super.connectedCallback();
    this.fresh = () => this.load();
    this.pressed = (e) => this.keys && this.press(e.detail);
    this.focused = () => this.settleSoon();
    this.halted = () => this.haltsMoved();
    window.addEventListener('changed', this.fresh);
    window.addEventListener('pressed', this.pressed);
    window.addEventListener('focus', this.focused);
    window.addEventListener('halts', this.halted);
    document.addEventListener('visibilitychange', this.focused);
    this.votesAgain = setInterval(() => this.loadVotes(), VOTES_AGAIN);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    window.removeEventListener('changed', this.fresh);
    window.removeEventListener('pressed', this.pressed);
    window.removeEventListener('focus', this.focused);
    window.removeEventListener('halts', this.halted);
    document.removeEventListener('visibilitychange', this.focused);
    clearInterval(this.votesAgain);
    clearTimeout(this.settling);
  }

  /** Returns whether the current plan is shown in full. */
  shown() {
    return Boolean(this.plan) && this.whole === this.plan && this.complete === this.plan && !this.broken;
  }

  /** Returns whether the user can decide now: the plan was shown in full for a second, in a window that has had the focus for as long. */
  ready() {
    return this.shown() && this.settled && !this.busy;
  }

  /** Marks the plan as shown in full once all its parts have been drawn without an error. */
  async updated() {
    const { plan } = this;
    if (!plan || this.complete !== plan || this.whole === plan) return;
    await Promise.all([...this.querySelectorAll('*')].filter((one) => one instanceof View).map((one) => one.updateComplete));
    if (plan !== this.plan || this.complete !== plan || this.whole === plan || this.broken) return;
    this.put({ whole: plan });
    this.settleSoon();
  }

  unsettle() {
    clearTimeout(this.settling);
    this.settled = false;
    delete this.dataset.settled;
  }

  settleSoon() {
    if (!this.shown()) return;
    this.unsettle();
    this.requestUpdate();
    this.settling = setTimeout(() => {
      if (!this.shown()) return;
      this.dataset.settled = '';
      this.put({ settled: true });
    }, STEADY);
  }

  /** Fails the whole plan if a part could not be drawn. */
  partFailed(e) {
    if (e.target !== this) this.fail(e.detail);
  }

  fail(e) {
    this.whole = null;
    this.unsettle();
    super.fail(e);
  }

  failed(e) {
    return html`<article class="plan">
      <p class="row between"><a class="back" href="#/approvals">${icon('back')} Approvals</a></p>
      <h1 tabindex="-1">This plan cannot be shown</h1>
      <div class="note bad" role="alert">${icon('cross')}<div>
        <p>You cannot approve, veto or amend it here, because nobody decides on what they cannot see.</p>
        <p class="small">${reveal(e.message)}</p>
      </div></div>
      <p>Read its JSON below. To stop it, veto it with this command:</p>
      <pre tabindex="0" aria-label="Command">gov veto ${this.of} --reason '…'</pre>
      <p class="small muted">${link(this.of)}</p>
      ${raw(`/v1/plans/${this.of}`, this.plan)}
    </article>`;
  }

  /** A halt that covers the selected actions; null if none. */
  halt() {
    const connectors = new Set(this.chosen().map((action) => action.connector));
    const covers = { tenant: () => true, operator: (id) => id === this.plan.operator_id, connector: (id) => connectors.has(id) };
    return halts().find((halt) => own(covers, halt.scope)?.(halt.target_id)) ?? null;
  }

  /** Removes the refusal by a halt once no halt covers the plan. */
  haltsMoved() {
    if (!this.plan) return;
    if (this.refused?.code === 'halted' && !this.halt()) this.refused = null;
    this.requestUpdate();
  }

  /** Reads the votes while some are required, because the stream reports plans and actions but no votes. */
  async loadVotes() {
    if (this.lost && !document.hidden) return this.load();
    const asked = this.shown() && this.votes?.state === 'open' && this.votes.requirements.length > 0;
    if (!asked || document.hidden || this.busy) return;
    const id = this.of;
    const votes = await get(`/v1/plans/${id}/approval`).catch(() => null);
    if (!votes || id !== this.of || this.busy) return;
    if (votes.state === 'open') this.put({ votes });
    else await this.load();
  }

  /** Loads the plan. If loads overlap, an older one never replaces a newer one. */
  async load() {
    const id = this.of;
    const asked = ++this.asked;
    const late = () => id !== this.of || asked < this.answered;
    try {
      const found = await get(`/v1/plans/${id}`);
      if (late()) return;
      this.answered = asked;
      if (this.broken && JSON.stringify(found) === JSON.stringify(this.plan)) return;
      // An unchanged plan keeps its identity, so that it stays decidable.
      const plan = JSON.stringify(found) === JSON.stringify(this.plan) ? this.plan : found;
      this.put({ plan });
      await this.updateComplete;
      if (this.broken) return;
      const [names, parts] = await Promise.all([this.names(plan), plan.status === 'proposed' ? this.whileOpen(plan) : this.onceClosed(plan)]);
      if (!late()) this.put({ ...names, ...parts, complete: plan, lost: null });
    } catch (e) {
      if (e.status === undefined) throw e;
      if (!late() && e.status !== 401) this.put({ lost: e, complete: null });
    }
  }

  /** The names of the plan's connectors. */
  async names(plan) {
    const ids = [...new Set(plan.actions.map((action) => action.connector))];
    const names = await Promise.all(ids.map((id) => (can('connectors:read') ? name(`/v1/connectors/${id}`) : null)));
    return { connectors: Object.fromEntries(ids.map((id, i) => [id, names[i]])) };
  }

  /** The guardrails of the plan's operator in a version. */
  rules(plan, version) {
    return known(`/v1/operators/${plan.operator_id}/guardrails?version=${digits(version)}`);
  }

  /** The guardrails that refused actions, by version. */
  async refusedUnder(plan, receipts) {
    if (!can('operators:read')) return new Map();
    const versions = receipts.filter((one) => one.outcome === 'refused' && one.guardrails_version).map((one) => digits(one.guardrails_version));
    const sets = await Promise.all([...new Set(versions)].map(async (version) => [version, (await this.rules(plan, version)).guardrails]));
    return new Map(sets);
  }

  async whileOpen(plan) {
    const entities = [...new Set(plan.actions.map((action) => action.entity_key).filter(Boolean))];
    const histories = can('actions:read')
      ? entities.map((entity) =>
          get(`/v1/actions?limit=5&entity=${encodeURIComponent(entity)}`).then((page) => [entity, page.data]),
        )
      : [];
    const [votes, rules, ...past] = await Promise.all([
      plan.waiting_on === 'approval' ? get(`/v1/plans/${plan.id}/approval`) : null,
      can('operators:read') ? this.rules(plan, plan.guardrails_version) : null,
      ...histories,
    ]);
    return { votes, guardrails: rules?.guardrails ?? [], history: can('actions:read') ? new Map(past) : null };
  }

  async onceClosed(plan) {
    const [event, approval, receipts, actions] = await Promise.all([
      plan.event_id && can('events:read') ? known(`/v1/events/${plan.event_id}`).catch(() => null) : null,
      plan.approval_id ? known(`/v1/approvals/${plan.approval_id}`).catch(() => null) : null,
      can('receipts:read') ? all(`/v1/receipts?plan_id=${plan.id}`) : [],
      can('actions:read') ? Promise.all(plan.actions.map((a) => get(`/v1/actions/${a.id}`))) : [],
    ]);
    return { refusing: await this.refusedUnder(plan, receipts), event, approval, receipts: receipts.toSorted((a, b) => (a.written_at < b.written_at ? -1 : 1)), actions };
  }

  press(key) {
    if (!this.ready()) return;
    if (key === 'a' && this.mayApprove()) this.approve(true);
    if (key === 'v' && this.mayVeto()) this.veto();
  }

  mayVeto() {
    return this.plan.waiting_on === 'approval' && can('plans:approve');
  }

  mayApprove() {
    return this.mayVeto() && this.votes.you.eligible !== false && this.chosen().length > 0 && !this.halt();
  }

  /** The actions that may run and are selected. */
  chosen() {
    return this.plan.actions.filter((action) => !refusedAnyway(action) && !this.left_.has(action.id));
  }

  /** The actions of a question, with their total. */
  named(actions) {
    const total = totalOf(actions);
    return html`<ul class="named">
        ${actions.toSorted(byWeight).map((action) => html`<li>${reveal(action.summary)}</li>`)}
      </ul>
      ${total ? html`<p>In total <b class="value">${total}</b></p>` : nothing}`;
  }

  /** Returns whether the plan of a question is still shown, unchanged at the service and not halted. No event reports changed guardrails. */
  async still(plan) {
    const [found] = await Promise.all([get(`/v1/plans/${plan.id}`), can('halts:read') ? lookForHalts() : null]);
    if (this.shown() && this.plan === plan && same(found, plan) && !this.halt()) return true;
    if (!this.isConnected || this.of !== plan.id) tell('You left the plan, so it was not approved.', 'bad');
    else tell(this.halt() ? 'A halt now covers this plan, so it was not approved.' : 'The plan has changed, so it was not approved. Review it again.', 'bad');
    return false;
  }

  /**
   * Approves if the plan is unchanged. If another plan has locked the entity, it retries for a minute, unless the wait would be
   * longer. A signed approval is sent only once. Returns false if the plan has changed or is no longer shown.
   */
  async unlocked(plan, approve) {
    const until = Date.now() + LOCKED;
    while (await this.still(plan)) {
      try {
        return await approve();
      } catch (refused) {
        const wait = refused.retryAfter * 1000;
        if (refused.code !== 'entity_locked' || this.busy === 'sign' || Date.now() + wait > until) throw refused;
        this.put({ busy: 'locked' });
        await pause(wait);
      }
    }
    return false;
  }

  /** Asks for confirmation if a key approves, or if the actions may not be reversible. */
  async sure(chosen, byKey) {
    const most = Math.max(...chosen.map((action) => action.verdict.tier));
    if (!byKey && most < ASKED_TWICE) return true;
    const final = most >= 3;
    return ask({
      title: final ? 'This cannot be undone' : chosen.length === 1 ? 'Approve this action?' : `Approve these ${chosen.length} actions?`,
      body: this.named(chosen),
      yes: final ? 'Approve anyway' : 'Approve',
      danger: final,
      enter: true,
    });
  }

  async approve(byKey) {
    if (!this.ready() || !this.mayApprove()) return;
    const { plan } = this;
    const chosen = this.chosen();
    if (!(await this.sure(chosen, byKey))) return;
    const body = {};
    if (chosen.length < plan.actions.length) body.action_ids = chosen.map((action) => action.id);
    if (this.note.trim()) body.note = this.note.trim();
    await this.deciding('approve', async () => {
      const done = await this.unlocked(plan, () => approved(plan, this.votes, body, () => this.put({ busy: 'sign' })));
      if (done === false) return false;
      if (!done) {
        tell('Nothing was signed, so nothing was approved. Check that a passkey of yours is on this device.', 'bad');
        return false;
      }
      const went = done.results?.filter((result) => result.ok).length;
      const what = html`<a href="#/plans/${plan.id}">${reveal(chosen.toSorted(byWeight)[0].summary)}</a>${chosen.length > 1 ? ` and ${chosen.length - 1} more` : ''}`;
      if (done.status === 'proposed') tell(html`Your vote is counted: ${what}.`);
      else if (went === done.results.length) tell(html`Done: ${what}.`);
      else tell(html`${went} of ${done.results.length} actions done. The reasons for the others are below.`, 'bad');
      return done.status === 'proposed' || went === done.results.length;
    });
  }

  takeBack() {
    return this.deciding('vote', async () => {
      await send('DELETE', `/v1/plans/${this.plan.id}/approval/vote`);
      tell('Your vote was withdrawn.');
    });
  }

  async veto() {
    if (!this.ready() || !this.mayVeto()) return;
    const { plan } = this;
    const done = await ask({
      title: 'Veto this plan?',
      body: this.named(plan.actions),
      text: 'None of its actions will run. The next proposer for this entity sees your reason.',
      fields: [{ name: 'reason', label: 'Reason', needed: true }],
      yes: 'Veto',
      danger: true,
      work: (said, key) => send('POST', `/v1/plans/${plan.id}/veto`, said, key),
    });
    if (!done) return;
    await this.deciding('veto', () => {
      tell(html`Vetoed: <a href="#/plans/${plan.id}">${reveal(plan.actions.toSorted(byWeight)[0].summary)}</a>.`);
      return true;
    });
  }

  /**
   * Does the work of a pressed button and shows the outcome, which is usually further up on the page. After a complete decision,
   * an event lets the queue open the next plan.
   */
  async deciding(what, work) {
    const id = this.of;
    this.put({ busy: what, refused: null });
    const decided = await this.trying(work);
    this.put({ busy: null });
    const goesOn = decided === true && id === this.of && !this.dispatchEvent(new CustomEvent('decided', { bubbles: true, cancelable: true, detail: id }));
    window.dispatchEvent(new Event('changed'));
    if (goesOn || id !== this.of) return;
    const { refused } = this;
    await this.load();
    await this.seen(refused ? '[role=alert]' : '#story, #votes');
  }

  async undo(action) {
    const done = await ask({
      title: 'Undo this action?',
      body: html`<p>${reveal(action.summary)}</p>`,
      text: 'The service calls the inverse that the tool declares, and writes a separate receipt.',
      fields: [{ name: 'reason', label: 'Reason' }],
      yes: 'Undo',
      work: (said, key) => send('POST', `/v1/actions/${action.id}/undo`, said.reason ? said : {}, key),
    });
    if (done)
      await this.deciding('undo', () => {
        tell(done.undone === false || done.object === 'execution_plan' ? 'Undo requested. It is waiting for approval.' : 'Undone.');
      });
  }

  async resolve(action) {
    const done = await ask({
      title: 'Resolve the outcome',
      text: 'Look it up in the source system. Your answer settles its idempotency key, its limits and the allowance.',
      fields: [
        {
          name: 'outcome', label: 'Outcome', kind: 'choice', needed: true,
          options: [['applied', 'It was applied'], ['not_applied', 'It was not applied']],
        },
        { name: 'reason', label: 'How do you know?', needed: true },
      ],
      yes: 'Resolve',
      work: (said, key) => send('POST', `/v1/actions/${action.id}/resolve`, said, key),
    });
    if (done) await this.deciding('resolve', () => tell('The outcome was recorded.'));
  }

  async amend(action) {
    if (!this.ready()) return;
    const { openAmend } = await import('./amend.js');
    const next = await openAmend(this.plan, action);
    if (next) location.hash = `#/plans/${next.id}`;
  }

  render() {
    const { plan } = this;
    if (!plan) return html`${refusal(this.lost)} ${this.lost ? nothing : loading}`;
    const open = plan.status === 'proposed';
    const held = open && plan.waiting_on === 'approval';
    const ordered = plan.actions.map((action, i) => [action, i]);
    const runs = held ? ordered.filter(([action]) => !refusedAnyway(action)).toSorted(([one], [other]) => byWeight(one, other)) : ordered;
    const refused = held ? ordered.filter(([action]) => refusedAnyway(action)) : [];
    return html`<article class="plan">
      ${this.head(plan, open)} ${this.missing(open)} ${refusal(this.refused)}
      ${open ? this.requirements(plan) : this.story(plan)}
      ${runs.length
        ? html`<section aria-labelledby="what">
            <h2 id="what">${open ? 'Actions' : 'Planned actions'}</h2>
            ${runs.map(([action, i]) => this.action(plan, action, i, open))}
          </section>`
        : nothing}
      ${refused.length
        ? html`<section aria-labelledby="refused">
            <h2 id="refused">Actions that will not run</h2>
            <p class="small muted">Refused even if the plan is approved, and not part of what you approve.</p>
            ${refused.map(([action, i]) => this.action(plan, action, i, open))}
          </section>`
        : nothing}
      ${plan.reasoning
        ? html`<section class="agent" aria-labelledby="agent">
            <h2 id="agent">${icon('robot')} In the agent’s words</h2>
            <p class="small">Written by the proposer, to persuade. Nothing above is taken from it.</p>
            <blockquote>${long(plan.reasoning)}</blockquote>
          </section>`
        : nothing}
      ${this.small(plan)} ${held && this.shown() ? this.bar(plan) : nothing}
    </article>`;
  }

  /** A note on a missing part of the plan. Until it has loaded, nobody decides. */
  missing(open) {
    if (!this.lost) return nothing;
    return html`${refusal(this.lost)}
      ${open ? html`<p class="small">Part of this plan has not loaded, so it cannot be decided on yet. The page tries again every few seconds.</p>` : nothing}`;
  }

  head(plan, open) {
    const runs = plan.actions.filter((action) => !(plan.waiting_on === 'approval' ? refusedAnyway(action) : action.verdict.decision === 'BLOCK'));
    const counted = runs.length ? runs : plan.actions;
    const first = counted.toSorted(byWeight)[0];
    const counts = runs.length > 0 || !open;
    const total = counts ? totalOf(counted) : null;
    const by = plan.proposed_by;
    return html`<header class="plan-head">
      <a class="back" href="#/approvals">${icon('back')} Approvals</a>
      <p class="row">
        ${state(plan)} ${counts ? tier(first.verdict.tier) : nothing}
      </p>
      <h1>
        ${reveal(first.summary)}${counted.length > 1
          ? html` <span class="muted">and ${counted.length - 1} more</span>`
          : nothing}
      </h1>
      <dl class="facts">
        ${total
          ? html`<div>
              <dt>${counted.length > 1 ? 'Total' : 'Value'}</dt>
              <dd class="value">${total}</dd>
            </div>`
          : nothing}
        <div>
          <dt>Requested by</dt>
          <dd>
            ${principal(by)}${by?.triggered_by
              ? html`<br /><span class="small muted">triggered by ${principal(by.triggered_by)}</span>`
              : nothing}
            ${plan.amended_by ? html`<br /><span class="small">amended by ${principal(plan.amended_by)}</span>` : nothing}
          </dd>
        </div>
        ${open
          ? html`<div><dt>Expires in</dt><dd>${left(plan.expires_at)}</dd></div>`
          : html`<div><dt>Ended</dt><dd>${ago(plan.disposed_at ?? plan.expires_at)}</dd></div>`}
        <div><dt>Requested</dt><dd>${ago(plan.proposed_at)}</dd></div>
      </dl>
    </header>`;
  }

  /** The user's own vote. */
  mine() {
    return this.votes?.votes.find((vote) => vote.person_id === who()?.principal.id);
  }

  requirements(plan) {
    const votes = this.votes;
    const mine = this.mine();
    if (!votes || (!votes.requirements.length && !votes.votes.length && votes.you.eligible)) return nothing;
    return html`<section aria-labelledby="votes">
      <h2 id="votes" tabindex="-1">Approvers</h2>
      ${!votes.you.eligible
        ? html`<div class="note warn">${icon('hand')}<p>You cannot vote on this: ${why(votes.you.reason)}</p></div>`
        : nothing}
      ${votes.requirements.length || votes.votes.length
        ? html`<ul class="lines card">
            ${together(votes.requirements, plan).map(
              ([one, of]) => html`<li class="row between">
                <span>${requirement(one)}${of ? html`<span class="muted">, for ${of}</span>` : nothing}</span>
                <span class="small">${one.missing
                  ? html`<span class="warn-text">${plain(one.missing)} missing</span>`
                  : html`<span class="pill ok">${icon('check')}${one.given.map((who, i) => html`${i ? ', ' : ''}${reveal(who.name ?? who.id)}`)}</span>`}</span>
              </li>`,
            )}
            ${votes.votes.map(
              (vote) => html`<li class="row between">
                <span>${icon('check')} ${principal({ type: 'person', id: vote.person_id, name: vote.name })} ${vote.method === 'passkey' ? 'signed' : 'voted'} ${ago(vote.at)}</span>
                ${vote === mine ? html`<button type="button" class="quiet" ?disabled=${this.busy} @click=${() => this.takeBack()}>Withdraw vote</button>` : nothing}
              </li>`,
            )}
          </ul>`
        : nothing}
    </section>`;
  }

  action(plan, action, i, open) {
    const rule = this.guardrails?.find((one) => one.name === action.verdict.rule);
    const many = plan.actions.length > 1;
    const past = open ? this.history?.get(action.entity_key) : null;
    const refused = plan.waiting_on === 'approval' && refusedAnyway(action);
    const connector = this.connectors?.[action.connector];
    const id = `a${i}`;
    return html`<section class="card action" aria-labelledby=${id}>
      <div class="action-head">
        ${open && many && !refused && can('plans:approve')
          ? html`<input
              type="checkbox"
              aria-labelledby=${id}
              .checked=${!this.left_.has(action.id)}
              @change=${(e) => this.choose(action, e.target.checked)}
            />`
          : nothing}
        <h3 id=${id}>${reveal(action.summary)}</h3>
        ${open && many ? html`<span class="small muted">${i + 1} of ${plan.actions.length}</span>` : nothing}
        ${open && can('plans:amend') && !action.undo_of && this.shown()
          ? html`<button type="button" class="quiet" aria-label="Amend: ${action.summary}" ?disabled=${!this.ready()} @click=${() => this.amend(action)}>Amend</button>`
          : nothing}
      </div>
      <p class="row small">
        ${pill(action.verdict.decision)} ${tier(action.verdict.tier)}
        <code>${reveal(action.tool)}</code>
        <span class="muted">on</span> ${link(action.connector, connector ? reveal(connector) : 'its connector')}
        ${action.entity_key ? html`<span class="muted">for entity</span> <code>${reveal(action.entity_key)}</code>` : nothing}
        ${action.undo_of ? html`<span class="muted">undoes</span> ${link(action.undo_of, 'an earlier action')}` : nothing}
      </p>
      ${open ? this.why(action, rule, plan) : nothing}
      <h4>Arguments</h4>
      ${table(action.args, 'Arguments')}
      ${action.call
        ? html`<h4>Request, as it will be sent</h4>
            <div class="call">
              <p><b>${action.call.method}</b> ${reveal(action.call.url)}</p>
              ${action.call.body ? html`<pre tabindex="0" aria-label="Request body">${reveal(action.call.body)}</pre>` : nothing}
              ${[...(action.call.body ?? '')].length >= SHOWN ? html`<p class="small">These are the first ${SHOWN.toLocaleString('en')} characters. All arguments that the request is made of are above.</p>` : nothing}
            </div>`
        : nothing}
      ${past && action.entity_key
        ? html`<h4>Earlier actions on ${reveal(action.entity_key)}</h4>
            ${past.length
              ? html`<ul class="lines small">
                  ${past.map(
                    (one) => html`<li class="row between">
                      <span>${pill(one.ok ? 'applied' : one.error?.startsWith('outcome unknown') ? 'unknown' : one.disposition === 'BLOCK' ? 'refused' : 'failed')} ${link(one.id, reveal(one.tool))}${one.undone ? html` <span class="muted">undone</span>` : nothing}</span>
                      <span class="muted">${ago(one.disposed_at)}</span>
                    </li>`,
                  )}
                </ul>`
              : html`<p class="small muted">None yet.</p>`}`
        : nothing}
    </section>`;
  }

  why(action, rule, plan) {
    const { decision, reason } = action.verdict;
    if (plan.waiting_on === 'approval' && action.call === null && decision !== 'BLOCK' && reason !== 'tool_changed')
      return html`<div class="note bad">${icon('cross')}<p>No request can be made for this action now: its connector or tool is gone, or does not accept these arguments. An action whose request cannot be shown is not approved.</p></div>`;
    if (reason === 'tool_changed')
      return html`<div class="note bad">${icon('cross')}<p>The tool has changed since this action was proposed. The action will not run.</p></div>`;
    if (reason === 'outside_window')
      return html`<div class="note bad">${icon('cross')}<p>The guardrails permitted this action when it was proposed, but not at this time.${action.verdict.rule ? html` Guardrail <a href="#/guardrails/${plan.operator_id}"><b>${reveal(action.verdict.rule)}</b></a> blocks it.` : nothing} The plan stays open: approve it within its window, or without this action.</p></div>`;
    if (!action.verdict.rule)
      return html`<div class="note bad">${icon('cross')}<p>No guardrail matches this action, so it will be refused, approved or not.</p></div>`;
    const asked = rule ? conditions(rule, action) : [];
    return html`<div class="why">
      <p>
        ${own(SAYS, decision) ?? ''} guardrail
        <a href="#/guardrails/${plan.operator_id}"><b>${reveal(action.verdict.rule)}</b></a> matches
        <code>${reveal(rule?.tool ?? action.tool)}</code>${asked.length ? ':' : '.'}
      </p>
      ${asked.length
        ? html`<ul>
            ${asked.map((one) => html`<li>${one}</li>`)}
          </ul>`
        : nothing}
      ${action.verdict.limit ? html`<p>Its limit decided: ${limitSaid(action.verdict.limit)}.</p>` : nothing}
    </div>`;
  }

  /** The guardrail that refused an action, with its conditions or limit. */
  refusedBy(receipt, plan) {
    const { verdict } = receipt;
    if (!verdict?.rule) return html`<p class="small">No guardrail matches this action.</p>`;
    const rule = this.refusing?.get(digits(receipt.guardrails_version))?.find((one) => one.name === verdict.rule);
    const action = plan.actions.find((one) => one.id === receipt.action_id);
    const asked = rule && action && verdict.decision === 'BLOCK' && !verdict.limit ? conditions(rule, action) : [];
    return html`<p class="small">Refused by guardrail <a href="#/guardrails/${plan.operator_id}"><b>${reveal(verdict.rule)}</b></a>${verdict.limit
        ? html`: ${limitSaid(verdict.limit)}.`
        : asked.length
          ? ':'
          : '.'}</p>
      ${asked.length ? html`<ul class="small">${asked.map((one) => html`<li>${one}</li>`)}</ul>` : nothing}`;
  }

  choose(action, on) {
    if (on) this.left_.delete(action.id);
    else this.left_.add(action.id);
    this.requestUpdate();
  }

  bar(plan) {
    if (!can('plans:approve')) return nothing;
    const chosen = this.chosen().length;
    const of = plan.actions.filter((action) => !refusedAnyway(action)).length;
    const halt = this.halt();
    const voted = this.mine() ? 'Vote again: approve' : 'Approve';
    const said = of <= 1 ? voted : chosen === of ? `${voted} all ${of}` : `${voted} ${chosen} of ${of}`;
    return html`<div class="bar">
      ${halt
        ? html`<p class="small bad-text" id="stopped">${icon('stop')} Nothing can be approved while <a href="#/halts/${halt.id}">a halt</a> is in force: “${reveal(halt.reason)}”</p>`
        : of
          ? nothing
          : html`<p class="small bad-text" id="stopped">None of its actions would run, so there is nothing to approve.</p>`}
      <details>
        <summary>Add a note</summary>
        <label class="hidden" for="note">Note</label>
        <textarea id="note" rows="2" maxlength="2000" .value=${this.note} @input=${(e) => { this.note = e.target.value; }}></textarea>
      </details>
      <div class="row">
        <button type="button" class="big" ?disabled=${!this.ready()} @click=${() => this.veto()}>
          Veto ${this.keys ? html`<kbd>v</kbd>` : nothing}
        </button>
        <button
          type="button"
          class="big primary grow"
          aria-describedby=${halt || !of ? 'stopped' : nothing}
          ?disabled=${!this.ready() || !this.mayApprove()}
          @click=${() => this.approve(false)}
        >
          ${own(DOING, this.busy) ?? said} ${this.keys ? html`<kbd>a</kbd>` : nothing}
        </button>
      </div>
    </div>`;
  }

  /** The history of the plan, from the event to the receipts. */
  story(plan) {
    const { event, approval, receipts = [], actions = [] } = this;
    const actionOf = Object.fromEntries(actions.map((action) => [action.id, action]));
    const [votes, others] = [true, false].map((is) => receipts.filter((one) => (one.kind === 'approval') === is));
    const deciders = approval?.decided_by ?? plan.decided_by ?? [];
    return html`<section aria-labelledby="story">
      <h2 id="story" tabindex="-1">Timeline</h2>
      <ol class="story">
        ${event
          ? html`<li>
              <p><b>Event</b> ${link(event.id, named(event.event_type))} <span class="muted">from</span> ${reveal(event.source)}</p>
              <p class="small muted">${when(event.created_at)}</p>
            </li>`
          : nothing}
        <li>
          <p><b>Plan</b> by ${principal(plan.proposed_by)}</p>
          <p class="small muted">${when(plan.proposed_at)}</p>
        </li>
        ${votes.map(vote)}
        ${plan.status === 'vetoed'
          ? html`<li class="bad">
              <p><b>${plan.withdrawn ? 'Withdrawn' : 'Vetoed'}</b> by ${principal(plan.vetoed_by_principal)}${plan.superseded_by ? html`, amended as ${link(plan.superseded_by)}` : nothing}</p>
              <p>“${reveal(plan.veto_reason ?? '')}”</p>
              <p class="small muted">${when(plan.disposed_at)}</p>
            </li>`
          : nothing}
        ${approval
          ? html`<li class="ok">
              <p><b>${link(approval.id, 'Approval')}</b> by ${deciders.map((one, i) => html`${i ? ' and ' : ''}${decided(one)}`)}</p>
              ${approval.note ? html`<p>“${reveal(approval.note)}”</p>` : nothing}
              <p class="small muted">${when(approval.approved_at)}</p>
            </li>`
          : nothing}
        ${others.map((receipt) => this.receipt(receipt, actionOf[receipt.action_id]))}
      </ol>
    </section>`;
  }

  receipt(receipt, action) {
    const kind = own({ applied: 'ok', refused: 'bad', failed: 'bad', unknown: 'warn' }, receipt.outcome) ?? '';
    const undo = receipt.outcome === 'applied' && receipt.kind === 'action' && action?.undoable && can('actions:write');
    const open = action && receipt.outcome === 'unknown' && !action.resolution && !action.holder_action_id;
    return html`<li class=${kind}>
      <div class="row between said">
        <p>${pill(receipt.outcome)} ${receipt.kind === 'undo' ? html`<b>Undo</b> ` : nothing}${reveal(receipt.summary ?? receipt.tool ?? receipt.kind)}</p>
        ${undo && !action.undone
          ? html`<button type="button" aria-label="Undo: ${receipt.summary}" ?disabled=${this.busy} @click=${() => this.undo(action)}>Undo</button>`
          : nothing}
        ${open && can('actions:write')
          ? html`<button type="button" ?disabled=${this.busy} @click=${() => this.resolve(action)}>Resolve the outcome</button>`
          : nothing}
      </div>
      ${action?.undone && receipt.kind === 'action' ? html`<p class="small">Undone by ${link(action.undo_action_id, 'another action')}.</p>` : nothing}
      ${receipt.error ? html`<p class="small bad-text">${reveal(receipt.error)}</p>` : nothing}
      ${receipt.outcome === 'refused' && action ? this.refusedBy(receipt, this.plan) : nothing}
      ${action?.resolution ? html`<p class="small">Resolved: ${pill(action.resolution.outcome === 'applied' ? 'applied' : 'failed')} “${reveal(action.resolution.reason)}”</p>` : nothing}
      <p class="small muted">
        ${when(receipt.written_at)} · ${link(receipt.id, 'receipt')}${receipt.upstream_reference
          ? html` · <span class="id">${reveal(receipt.upstream_reference)}</span>`
          : nothing}
      </p>
    </li>`;
  }

  small(plan) {
    return html`<footer class="small-print">
      <dl>
        <div><dt>Plan</dt><dd>${link(plan.id)}</dd></div>
        ${plan.event_id ? html`<div><dt>Event</dt><dd>${link(plan.event_id)}</dd></div>` : nothing}
        <div><dt>Chain</dt><dd><a class="id" href="#/chains/${plan.correlation_id}/${plan.id}">${plan.correlation_id}</a></dd></div>
        <div><dt>Operator</dt><dd>${link(plan.operator_id)}</dd></div>
        ${plan.amends ? html`<div><dt>Amends</dt><dd>${link(plan.amends)}</dd></div>` : nothing}
        ${plan.actions.map(
          (action) => html`<div><dt>Digest</dt><dd class="id">${action.action_digest}</dd></div>`,
        )}
      </dl>
      ${raw(`/v1/plans/${plan.id}`, plan)}
    </footer>`;
  }
}

/** A decider, with the method of the decision unless it is a key. */
const METHOD = { passkey: ', signed with a passkey', session: ', signed in' };
const decided = (one) => html`${principal(one)}${own(METHOD, one.method) ?? nothing}`;

/** A given or withdrawn vote on a plan that has ended: the voter, method and time. */
const vote = (receipt) => {
  const one = receipt.decided_by?.[0];
  const given = receipt.outcome === 'voted';
  return html`<li class=${given ? 'ok' : ''}>
    <p><b>${given ? 'Vote' : 'Vote withdrawn'}</b> by ${one ? (given ? decided(one) : principal(one)) : reveal(receipt.approver ?? '')}</p>
    ${receipt.note ? html`<p>“${reveal(receipt.note)}”</p>` : nothing}
    <p class="small muted">${when(receipt.written_at)} · ${link(receipt.id, 'receipt')}</p>
  </li>`;
};

const WHY = {
  self_approval: 'you, or a key that you own or made, had a part in proposing it.',
  group: 'it needs members of groups that you are not in.',
  method: 'it needs a signed-in person, or a passkey.',
  policy_editor: 'something that this approval relies on changed too recently. You made that change, or you or your group membership is newer.',
  suspended: 'you are suspended.',
  passkey_settling: 'your passkey is too new to approve with.',
  scope: 'you do not have the right to approve.',
};

/** The reason that the user cannot vote. A user without a passkey gets a link to create one. */
function why(reason) {
  const making = passkeyAddress();
  return reason === 'method' && making && !who().passkeys.length
    ? html`it needs a passkey signature, and you have no passkey yet. <a href=${making} @click=${() => keepPlace(location.hash)}>Create one</a>.`
    : reveal(own(WHY, reason) ?? reason);
}

/** Merges equal requirements of several actions. Each has its actions, unless it is for all of them. */
function together(requirements, plan) {
  const alike = new Map();
  for (const one of requirements) {
    const key = JSON.stringify([plain(one.count), one.groups, one.method, one.given.map((who) => who.id), plain(one.missing)]);
    const [, ids] = alike.get(key) ?? alike.set(key, [one, new Set()]).get(key);
    ids.add(one.action_id);
  }
  const said = (ids) =>
    ids.size === plan.actions.length ? null : plan.actions.filter((action) => ids.has(action.id)).map((action, i) => html`${i ? ', ' : ''}${reveal(action.summary)}`);
  return [...alike.values()].map(([one, ids]) => [one, said(ids)]);
}

const HOW = { passkey: 'with a passkey', session: 'signed in' };
const requirement = (one) =>
  html`${plain(one.count ?? 1)}
  ${one.groups?.length ? html`of ${one.groups.map((group, i) => html`${i ? ' or ' : ''}<b>${reveal(group)}</b>`)}` : `${Number(plain(one.count ?? 1)) > 1 ? 'people' : 'person'} who may approve`}${own(HOW, one.method) ? html`<span class="muted">, ${HOW[one.method]}</span>` : nothing}`;

customElements.define('gov-plan', Plan);
